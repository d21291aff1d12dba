public import MagicQuery
public import MagicSchema

/// In queries, a lazy collection supports the same member functions as any other collection.
extension AsyncMagical: MagicMembers where Content: MagicMembers {
  /// The objects' type.
  public typealias Member = Content.Member
}

/// Properties through a lazy to-one relationship, for key paths like `\Album.$artist.$name`.
extension MagicField {
  /// A property of the object that the to-one relationship refers to.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member> where Value == AsyncMagical<Target> {
    field(Target.self, member)
  }

  /// A property of the object that the to-one relationship may refer to. Nil if it refers to no
  /// object.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member?> where Value == AsyncMagical<Target>? {
    field(Target.self, member)
  }

  /// An optional property of the object that the to-one relationship may refer to. Nil if it refers
  /// to no object, or if the property is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member?>> & Sendable
  ) -> MagicField<Member?> where Value == AsyncMagical<Target>? {
    field(Target.self, member)
  }
}

/// Properties through lazy to-one relationships in closures: `{ $0.$artist.$name == "Ada" }`.
extension MagicExpression {
  /// A property of the object that the to-one relationship refers to.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member> where Value == AsyncMagical<Target> {
    property(member)
  }

  /// A property of the object that the to-one relationship may refer to. Nil if it refers to no
  /// object.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member?> where Value == AsyncMagical<Target>? {
    property(member)
  }

  /// An optional property of the object that the to-one relationship may refer to. Nil if it refers
  /// to no object, or if the property is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member?>
  ) -> MagicExpression<Model, Member?> where Value == AsyncMagical<Target>? {
    property(member)
  }
}
