/// The kinds of collections. They differ in what identifies a member.
package enum LinkKind: String, Sendable {
  /// The position identifies a member. A list may contain an object twice.
  case list
  /// The object identifies a member.
  case set
  /// A key identifies a member.
  case dictionary

  /// The column of a join table between the owner and the member; nil for a set.
  package var keyColumn: String? {
    switch self {
    case .list: "position"
    case .set: nil
    case .dictionary: "key"
    }
  }
}
