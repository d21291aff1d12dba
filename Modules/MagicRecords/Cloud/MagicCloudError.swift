public import Foundation

/// Why an object and a ``MagicCloudRecord`` cannot be converted to each other. It contains no values of
/// the user's data.
public enum MagicCloudError: Error, Hashable, Sendable {
  /// The record, or a record name, is that of another type of objects.
  case recordTypeMismatch(expected: String, found: String)
  /// A property that needs a value has none, and the record has no field for it.
  case missingField(type: String, property: String)
  /// The value of a field or property is not one that the other can have.
  case invalidField(type: String, property: String, reason: String)
  /// An object has no record name, or a record name is not one of an object.
  case invalidName(type: String, reason: String)
}

extension MagicCloudError: CustomStringConvertible {
  /// The case, the reason, the type and the property.
  public var description: String {
    switch self {
    case .recordTypeMismatch(let expected, let found):
      "recordTypeMismatch: The record type is \(found) instead of \(expected)."
    case .missingField(let type, let property):
      "missingField: The property needs a value, and the record has none. [\(type).\(property)]"
    case .invalidField(let type, let property, let reason):
      "invalidField: \(reason) [\(type).\(property)]"
    case .invalidName(let type, let reason): "invalidName: \(reason) [\(type)]"
    }
  }
}

/// `localizedDescription` is the description, in English.
extension MagicCloudError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
