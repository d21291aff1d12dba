/// A property with many values that are stored as JSON: an array or a set of `Codable` values, or an
/// optional one.
///
/// ```swift
/// let workers = magic.query(Worker.self)
///
/// let named = try await workers.where { $0.$skills.contains("Swift") }.count()
/// ```
public protocol MagicJSONValues {
  /// The type of the values.
  associatedtype Element: Codable
  /// `Int`, or `Int?` for an optional property.
  associatedtype Count: Sendable = Int
}

extension Array: MagicJSONValues where Element: Codable {
  /// The number of values.
  public typealias Count = Int
}

extension Set: MagicJSONValues where Element: Codable {
  /// The number of values.
  public typealias Count = Int
}

/// The values of a dictionary with texts as keys.
extension Dictionary.Values: MagicJSONValues where Key == String, Value: Codable {
  /// The number of values.
  public typealias Count = Int
}

/// Nil contains no value, and has no count.
extension Optional: MagicJSONValues where Wrapped: MagicJSONValues {
  /// The type of the values.
  public typealias Element = Wrapped.Element
  /// The number of values; nil if the property is nil.
  public typealias Count = Int?
}
