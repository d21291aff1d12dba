public import MagicRelations
public import MagicSchema
public import Magical

/// The inverse of a lazy relationship.
extension ReverseMagicValue {
  /// Creates the inverse of a lazy relationship, like `init(_:)` for a relationship that is not
  /// lazy.
  public init<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Owner, MagicField<AsyncMagical<Content>>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }

  /// Creates the inverse of a lazy relationship that may be nil.
  public init<Content: Magical & MagicalRelation & Sendable>(
    _ relationship: any KeyPath<Owner, MagicField<AsyncMagical<Content>?>> & Sendable
  ) {
    self.init(along: { $0[keyPath: relationship].ownReference })
  }
}
