/// How a collection's members are told apart.
package enum LinkKind: String, Sendable {
  /// By their place; one may be there twice.
  case list
  /// By themselves.
  case set
  /// By a key.
  case dictionary
}
