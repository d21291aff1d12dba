import MagicEngine
public import Magical
public import MagicSchema

extension MagicSQL {
  /// The builder that turns an interpolated string into SQL.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var statement = RawStatement()

    /// Creates a builder without SQL.
    public init(literalCapacity: Int, interpolationCount: Int) {
      statement.reserveCapacity(
        text: literalCapacity + interpolationCount, arguments: interpolationCount)
    }

    /// Appends the literal text as SQL.
    public mutating func appendLiteral(_ literal: String) { statement.text += literal }
  }
}

extension MagicSQL.StringInterpolation {
  /// Binds a value in its stored form. A value without a stored form, such as NaN, makes the call
  /// that runs the statement throw `.cannotEncode`.
  public mutating func appendInterpolation<Value: Magical & Sendable>(_ value: Value) {
    statement.append(RawArgument(value))
  }

  /// Binds a value in its stored form, nil as NULL.
  public mutating func appendInterpolation<Value: Magical & Sendable>(_ value: Value?) {
    statement.append(RawArgument(value))
  }

  /// Binds the row ID of an object. An object that is not in the database makes the call that runs
  /// the statement throw `.notSaved`.
  public mutating func appendInterpolation<Model: MagicObject>(_ object: Model) {
    statement.append(RawArgument(object: object))
  }

  /// Binds the row ID of an object, nil as NULL.
  public mutating func appendInterpolation<Model: MagicObject>(_ object: Model?) {
    statement.append(RawArgument(object: object))
  }

  /// Binds several values as the right operand of `IN`: `(?, ?, ?)`.
  public mutating func appendInterpolation<Value: Magical & Sendable>(
    values: some Sequence<Value>
  ) {
    statement.append(list: values.map { RawArgument($0) })
  }

  /// Binds the row IDs of several objects as the right operand of `IN`.
  public mutating func appendInterpolation<Model: MagicObject>(values: some Sequence<Model>) {
    statement.append(list: values.map { RawArgument(object: $0) })
  }

  /// Appends another piece of SQL with its values.
  public mutating func appendInterpolation(sql other: MagicSQL) {
    statement.append(other.statement)
  }

  /// Appends a text as SQL without any checks. This is the only unsafe interpolation: text from
  /// user input can inject SQL.
  public mutating func appendInterpolation(raw text: String) { statement.text += text }
}
