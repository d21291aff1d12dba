import MagicEngine

/// One SQL statement, or a part of one. Interpolated values are bound to the statement, and are
/// never part of its text.
///
/// ```swift
/// let grown = try await magic.sql(
///   """
///   SELECT \(column: \Person.$name), \(column: \Person.$age) FROM \(table: Person.self)
///   WHERE \(column: \Person.$age) >= \(18)
///   """
/// ).rows(String.self, Int.self)
/// ```
///
/// A value is bound in its stored form, an object as its row ID (`zIndex`). Types and key paths are
/// interpolated as the names of tables and columns. A type that was never saved has no table: a
/// read treats its table as empty, and a write creates the table first. An error in an
/// interpolation is thrown by the call that runs the statement.
public struct MagicSQL: ExpressibleByStringInterpolation, Sendable {
  var statement: RawStatement

  /// Creates SQL without values.
  public init(stringLiteral text: String) { statement = RawStatement(text: text) }

  /// Creates SQL from a string with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) {
    statement = interpolation.statement
  }
}

extension MagicSQL: CustomStringConvertible {
  /// The SQL, with `?` for each value.
  public var description: String { statement.text }
}
