public import MagicRelations
public import MagicSchema

/// A to-many property: an array, dictionary or set of objects, or an inverse relationship.
///
/// ```swift
/// let played = try await magic.query(Song.self).where { $0.$playlists.count > 3 }.all()
/// ```
public protocol MagicMembers {
  /// The type of the objects.
  associatedtype Member: MagicObject
}

extension Array: MagicMembers where Element: MagicObject {
  /// The type of the objects.
  public typealias Member = Element
}

extension Dictionary: MagicMembers where Value: MagicObject {
  /// The type of the objects.
  public typealias Member = Value
}

extension MagicalSet: MagicMembers {
  /// The type of the objects.
  public typealias Member = Element
}

extension AsyncReverseMagicSet: MagicMembers {
  /// The type of the objects.
  public typealias Member = Element
}

/// The members of a collection of the object that an optional to-one relationship refers to; none
/// if the relationship is nil.
extension Optional: MagicMembers where Wrapped: MagicMembers {
  /// The type of the objects.
  public typealias Member = Wrapped.Member
}
