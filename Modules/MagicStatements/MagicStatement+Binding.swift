import MagicEngine
public import MagicSchema
public import Magical

extension MagicStatement {
  /// Returns the statement with a value for a named parameter: `:age`, `@age` or `$age`.
  ///
  /// ```swift
  /// let named = magic.sql("SELECT name FROM Person WHERE age BETWEEN :low AND :high")
  /// let adults = try await named.bind("low", to: 18).bind("high", to: 65).rows(String.self)
  /// ```
  ///
  /// A second value for a name replaces the first. A parameter without a value, and a value without
  /// a parameter, throw `.invalidQuery` when the statement runs.
  ///
  /// - Parameter name: the name, without its first character.
  public func bind<Value: Magical & Sendable>(_ name: String, to value: Value) -> Self {
    binding(name, RawArgument(value))
  }

  /// Returns the statement with a value for a named parameter, nil as NULL.
  public func bind<Value: Magical & Sendable>(_ name: String, to value: Value?) -> Self {
    binding(name, RawArgument(value))
  }

  /// Returns the statement with the row ID of an object for a named parameter.
  public func bind<Model: MagicObject>(_ name: String, to object: Model) -> Self {
    binding(name, RawArgument(object: object))
  }

  private func binding(_ name: String, _ argument: RawArgument) -> Self {
    var sql = sql
    sql.statement.named[name] = argument
    return MagicStatement(source: source, sql: sql)
  }
}
