public import MagicRelations
public import MagicSchema

/// A property of many objects: an array, dictionary or set of them, or an inverse relationship.
public protocol MagicMembers {
  /// The objects' type.
  associatedtype Member: MagicObject
}

extension Array: MagicMembers where Element: MagicObject {
  /// The objects' type.
  public typealias Member = Element
}

extension Dictionary: MagicMembers where Value: MagicObject {
  /// The objects' type.
  public typealias Member = Value
}

extension MagicalSet: MagicMembers {
  /// The objects' type.
  public typealias Member = Element
}

extension AsyncReverseMagicSet: MagicMembers {
  /// The objects' type.
  public typealias Member = Element
}

/// Members across an optional to-one: none where it leads nowhere.
extension Optional: MagicMembers where Wrapped: MagicMembers {
  /// The objects' type.
  public typealias Member = Wrapped.Member
}
