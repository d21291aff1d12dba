/// The kinds of collections, which differ in how they identify a member.
package enum LinkKind: String, Sendable {
  /// By its position. A list may contain a member twice.
  case list
  /// By the member itself.
  case set
  /// By a key.
  case dictionary
}
