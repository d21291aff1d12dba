public import MagicQuery
public import MagicSchema

/// In queries a lazy collection is asked of its members as any other is.
extension AsyncMagical: MagicMembers where Content: MagicMembers {
  /// The objects' type.
  public typealias Member = Content.Member
}

/// Properties across a lazy to-one, for key paths like `\Album.$artist.$name`.
extension MagicField {
  /// A property of the object that the to-one refers to.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member> where Value == AsyncMagical<Target> {
    field(Target.self, member)
  }

  /// A property of the object that the to-one may refer to: nil where it refers to none.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member?> where Value == AsyncMagical<Target>? {
    field(Target.self, member)
  }

  /// An optional property of the object that the to-one may refer to: nil in either case.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member?>> & Sendable
  ) -> MagicField<Member?> where Value == AsyncMagical<Target>? {
    field(Target.self, member)
  }
}

/// Across lazy to-ones in closures: `{ $0.$artist.$name == "Ada" }`.
extension MagicExpression {
  /// A property of the object that the to-one refers to.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member> where Value == AsyncMagical<Target> {
    property(member)
  }

  /// A property of the object that the to-one may refer to: nil where it refers to none.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member>
  ) -> MagicExpression<Model, Member?> where Value == AsyncMagical<Target>? {
    property(member)
  }

  /// An optional property of the object that the to-one may refer to: nil in either case.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: MagicPath<Target, Member?>
  ) -> MagicExpression<Model, Member?> where Value == AsyncMagical<Target>? {
    property(member)
  }
}
