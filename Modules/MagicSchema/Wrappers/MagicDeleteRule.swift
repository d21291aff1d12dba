/// What happens along a relationship when an object is removed.
///
/// ```swift
/// @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
/// @MagicValue(.onDelete(.deny)) var readers: [Person] = []
/// ```
///
/// The database holds to it whoever removes the row, raw SQL included.
public enum MagicDeleteRule: String, Sendable {
  /// The link goes: an optional to-one becomes nil, a member leaves its collections. The default,
  /// save for a required to-one, which cannot have it.
  case nullify
  /// An object cannot be removed while the relationship leads to it: that throws
  /// ``MagicError/Code/stillReferenced``. What leads to it may be removed in the same transaction.
  /// The default of a required to-one.
  case deny
  /// The many go with the one: the owners of a to-one with the object it leads to, the members of
  /// a collection with its owner. Any number of levels.
  case cascade
}
