import MagicSchema

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
  /// The SQL, with `?` in the place of each value.
  package var text: String
  /// The values, in the order of their places.
  var parameters: [SQLParameter] = []
  /// The types that it names.
  var schemas: [ObjectSchema] = []
  /// The first mistake of an interpolation.
  var mistake: MagicError?

  /// SQL without values.
  public init(stringLiteral text: String) { self.text = text }

  /// SQL with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) { self = interpolation.sql }

  init(text: String) { self.text = text }

  mutating func append(_ other: MagicSQL) {
    text += other.text
    parameters += other.parameters
    for schema in other.schemas { note(schema) }
    note(other.mistake)
  }

  mutating func note(_ schema: ObjectSchema) {
    if !schemas.contains(where: { $0 === schema }) { schemas.append(schema) }
  }

  mutating func note(_ mistake: MagicError?) {
    if self.mistake == nil { self.mistake = mistake }
  }
}

extension MagicSQL: CustomStringConvertible {
  /// The SQL, with `?` in the place of each value.
  public var description: String { text }
}
