/// The effect on a relationship when an object on either side of it is removed.
///
/// ```swift
/// @OptionMagicValue(.onDelete(.cascade)) var parent: Folder?
/// @MagicValue(.onDelete(.deny)) var readers: [Person] = []
/// ```
///
/// Foreign keys and triggers in the database file enforce the rule for raw SQL as well, within the
/// limits of the engine. See the article on the file format.
public enum MagicDeleteRule: String, Sendable {
  /// The reference is removed: an optional to-one is set to nil, and a member is removed from its
  /// collections. This is the default except for a required to-one, which cannot have this rule.
  case nullify
  /// An object cannot be removed while the relationship refers to it; removing it throws
  /// ``MagicError/Code/stillReferenced``. The objects that refer to it may be removed in the same
  /// transaction. This is the default for a required to-one.
  case deny
  /// Removing an object also removes the objects on the "many" side: for a to-one, the owners that
  /// refer to the object; for a collection, the members of the removed owner, even if other owners
  /// have the same members. The rule applies to any number of levels. Removing a member, or taking
  /// it out of the collection, removes no other object.
  ///
  /// The rule removes rows. Instances in memory whose rows were removed by the rule keep their
  /// `zIndex`.
  case cascade
}
