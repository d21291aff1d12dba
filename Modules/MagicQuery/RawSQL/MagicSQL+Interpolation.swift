import MagicEngine
public import Magical
public import MagicSchema

extension MagicSQL {
  /// What an interpolated string makes the SQL of.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var statement = RawStatement()

    /// Begins without SQL.
    public init(literalCapacity: Int, interpolationCount: Int) {
      statement.reserveCapacity(
        text: literalCapacity + interpolationCount, arguments: interpolationCount)
    }

    /// Appends SQL as it is written.
    public mutating func appendLiteral(_ literal: String) { statement.text += literal }
  }
}

extension MagicSQL.StringInterpolation {
  /// Binds a value as it is stored. One that has no stored form, as NaN has none, makes the call
  /// throw `.cannotEncode`.
  public mutating func appendInterpolation<Value: Magical & Sendable>(_ value: Value) {
    statement.append(RawArgument(value))
  }

  /// Binds a value as it is stored, nil as NULL.
  public mutating func appendInterpolation<Value: Magical & Sendable>(_ value: Value?) {
    statement.append(RawArgument(value))
  }

  /// Binds an object's z-index. One that is not in the database makes the call throw `.notSaved`.
  public mutating func appendInterpolation<Model: MagicObject>(_ object: Model) {
    statement.append(RawArgument(object: object))
  }

  /// Binds an object's z-index, nil as NULL.
  public mutating func appendInterpolation<Model: MagicObject>(_ object: Model?) {
    statement.append(RawArgument(object: object))
  }

  /// Binds each of several values, as the list that `IN` wants: `(?, ?, ?)`.
  public mutating func appendInterpolation<Value: Magical & Sendable>(
    values: some Sequence<Value>
  ) {
    statement.append(list: values.map { RawArgument($0) })
  }

  /// Binds the z-index of each of several objects, as the list that `IN` wants.
  public mutating func appendInterpolation<Model: MagicObject>(values: some Sequence<Model>) {
    statement.append(list: values.map { RawArgument(object: $0) })
  }

  /// Puts in another piece of SQL with its values.
  public mutating func appendInterpolation(sql other: MagicSQL) {
    statement.append(other.statement)
  }

  /// Puts in a text as it is. The one unsafe way: a text that a user typed can do anything here.
  public mutating func appendInterpolation(raw text: String) { statement.text += text }
}
