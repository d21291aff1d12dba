public import MagicRelations
public import MagicSchema
public import Magical

/// The way back along a relationship that is fetched when it is asked for.
extension ReverseMagicValue {
  /// The way back along such a relationship, as `init(_:)` is along one that comes with its owner.
  public init<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Owner, MagicField<AsyncMagical<Content>>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }

  /// The same for a relationship that may be nil.
  public init<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Owner, MagicField<AsyncMagical<Content>?>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }
}
