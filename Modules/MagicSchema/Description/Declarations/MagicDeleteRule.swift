/// What happens along a relationship when an object is removed.
///
/// ```swift
/// @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
/// @MagicValue(.onDelete(.deny)) var readers: [Person] = []
/// ```
///
/// Foreign keys and triggers in the file hold to it for raw SQL as well, within the limits of the engine,
/// see the article on the format.
public enum MagicDeleteRule: String, Sendable {
  /// The link goes: an optional to-one becomes nil, a member leaves its collections. The default,
  /// except for a required to-one, which cannot have it.
  case nullify
  /// An object cannot be removed while the relationship refers to it: that throws
  /// ``MagicError/Code/stillReferenced``. What refers to it may be removed in the same transaction.
  /// The default of a required to-one.
  case deny
  /// The many go with the one: the owners of a to-one with the object it refers to, the members of
  /// a collection with its owner, also those that other owners have. Any number of levels. A
  /// member that is taken out of the collection, or removed itself, takes no other along.
  ///
  /// Rows are removed; instances in memory that went along still show their z-index.
  case cascade
}
