public import Foundation

/// Why a JSON document was refused, and where: the cause of a `MagicError`.
///
/// ```swift
/// guard let fault = error.cause as? MagicJSONError else { throw error }
/// print(fault.reason, fault.path)  // unknownKey $.name
/// ```
public struct MagicJSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong. New versions of the library may add reasons.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    /// The name of the reason.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The text is not JSON.
    public static let invalidJSON = Reason("invalidJSON")
    /// An object has a key that is not that of a property.
    public static let unknownKey = Reason("unknownKey")
    /// An object has a key twice.
    public static let duplicateKey = Reason("duplicateKey")
    /// A new object lacks the value of a property.
    public static let missingKey = Reason("missingKey")
    /// A value is not one of the property's type.
    public static let wrongType = Reason("wrongType")
    /// Objects contain each other more than 64 levels deep.
    public static let tooDeep = Reason("tooDeep")
    /// A reference is that of no object in the document or the database.
    public static let unknownReference = Reason("unknownReference")
    /// The document contains an object twice. The second one can be a reference.
    public static let duplicateObject = Reason("duplicateObject")
  }

  /// What is wrong.
  public let reason: Reason
  /// The place in the document: `$` is the document, `$.friends[3].name` the name of the fourth
  /// friend. A member of a dictionary has its position among the members.
  public let path: String

  /// What is wrong, in words.
  let message: String
  /// The record of an imported file; nil for a document.
  let record: RecordPlace?
  /// The first key on the path.
  let key: String?

  /// The reason and the place.
  public var description: String { "\(reason) at \(path)" }
}

/// `localizedDescription` is the description, in English.
extension MagicJSONError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
