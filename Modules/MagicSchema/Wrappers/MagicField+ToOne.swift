/// Properties across a to-one, for key paths like `\Playlist.$owner.$name`.
extension MagicField {
  /// A property of the object that the to-one refers to.
  public subscript<Member>(
    dynamicMember member: any KeyPath<Value, MagicField<Member>> & Sendable
  ) -> MagicField<Member> where Value: MagicObject {
    field(Value.self, member)
  }

  /// A property of the object that the to-one may refer to: nil where it refers to none.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member?> where Value == Target? {
    field(Target.self, member)
  }

  /// An optional property of the object that the to-one may refer to: nil in either case.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member?>> & Sendable
  ) -> MagicField<Member?> where Value == Target? {
    field(Target.self, member)
  }

  package func field<Target: MagicObject, Member, Result>(
    _ target: Target.Type, _ member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Result> {
    // A type that cannot be stored has no template; what is asked of its property says so.
    guard let schema = try? ObjectSchema.of(target),
      let field = schema.evaluate(on: target, { $0[keyPath: member] })
    else {
      return MagicField<Result>(reference: reference, path: FieldPath(reference, before: path))
    }
    return MagicField<Result>(
      reference: field.reference,
      path: FieldPath.joined(FieldPath(reference, before: path), field.path))
  }
}

extension FieldPath {
  /// One way behind another.
  fileprivate static func joined(_ first: FieldPath, _ second: FieldPath?) -> FieldPath {
    guard let second else { return first }
    return FieldPath(second.toOne, before: joined(first, second.before))
  }

  /// The to-ones in the order in which they are gone.
  package var toOnes: [PropertyReference] { (before?.toOnes ?? []) + [toOne] }
}
