public import Foundation

/// The error of a commit whose draft has changed properties that were changed in the database too.
///
/// The values have the types that a ``MagicRecord`` contains.
public struct MagicDraftConflict: Error, Sendable {
  /// A property with its three values.
  public struct Property: @unchecked Sendable {
    /// The name of the property in Swift.
    public let name: String
    /// The value when the draft was created or last committed.
    public let base: Any?
    /// The value in the draft.
    public let mine: Any?
    /// The value in the database.
    public let theirs: Any?
  }

  /// The type of the object.
  public let type: String
  /// The properties that have changed in both.
  public let properties: [Property]
}

extension MagicDraftConflict: CustomStringConvertible {
  /// What has happened, and the names of the properties, without their values.
  public var description: String {
    let names = properties.map(\.name).joined(separator: ", ")
    return "conflict: Properties that the draft has changed were changed in the database too: "
      + "\(names). Nothing was written. To replace the stored values, commit the draft with "
      + "overwriting: true. [\(type)]"
  }
}

/// `localizedDescription` is the description, in English.
extension MagicDraftConflict: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
