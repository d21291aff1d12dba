public import MagicRelations
public import MagicSchema

/// The values of properties: `record.$name`.
///
/// The result is nil if the record does not contain the property, and for a key path that passes
/// through a relationship.
extension MagicRecord {
  /// The value of a property.
  public subscript<Value>(
    dynamicMember field: KeyPath<Model, MagicField<Value>>
  ) -> Value? { entry(at: field)?.value as? Value }

  /// The value of a property that may be nil.
  public subscript<Value>(
    dynamicMember field: KeyPath<Model, MagicField<Value?>>
  ) -> Value? { entry(at: field)?.value as? Value }

  /// The identifier of the object that a to-one refers to.
  public subscript<Target: MagicObject>(
    dynamicMember field: KeyPath<Model, MagicField<Target>>
  ) -> MagicID<Target>? { entry(at: field)?.value as? MagicID<Target> }

  /// The identifier of the object that a to-one refers to.
  public subscript<Target: MagicObject>(
    dynamicMember field: KeyPath<Model, MagicField<Target?>>
  ) -> MagicID<Target>? { entry(at: field)?.value as? MagicID<Target> }

  /// The identifiers of the members of an array, in order.
  public subscript<Member: MagicObject>(
    dynamicMember field: KeyPath<Model, MagicField<[Member]>>
  ) -> [MagicID<Member>]? { entry(at: field)?.value as? [MagicID<Member>] }

  /// The identifiers of the members of a set, in the order of the identifiers.
  public subscript<Member: MagicObject>(
    dynamicMember field: KeyPath<Model, MagicField<MagicalSet<Member>>>
  ) -> [MagicID<Member>]? { entry(at: field)?.value as? [MagicID<Member>] }

  /// The identifiers of the members of a dictionary.
  public subscript<Key: Hashable & Codable, Member: MagicObject>(
    dynamicMember field: KeyPath<Model, MagicField<[Key: Member]>>
  ) -> [Key: MagicID<Member>]? { entry(at: field)?.value as? [Key: MagicID<Member>] }
}
