import MagicEngine

/// One SQL statement, or a part of one. What is interpolated is bound to it, never spliced into it.
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
/// A value is bound as it is stored, an object as its z-index. Tables and columns are named by type
/// and key path. A type that was never saved has no table: to a read it is one without rows, and a
/// write makes it first. A mistake in an interpolation is thrown by the call that runs it.
public struct MagicSQL: ExpressibleByStringInterpolation, Sendable {
  var statement: RawStatement

  /// SQL without values.
  public init(stringLiteral text: String) { statement = RawStatement(text: text) }

  /// SQL with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) {
    statement = interpolation.statement
  }
}

extension MagicSQL: CustomStringConvertible {
  /// The SQL, with `?` in the place of each value.
  public var description: String { statement.text }
}
