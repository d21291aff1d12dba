/// References to properties of the object that a to-one refers to, for key paths like
/// `\Playlist.$owner.$name`.
extension MagicField {
  /// A property of the object that the to-one refers to.
  public subscript<Member>(
    dynamicMember member: any KeyPath<Value, MagicField<Member>> & Sendable
  ) -> MagicField<Member> where Value: MagicObject {
    field(Value.self, member)
  }

  /// A property of the object that the to-one refers to; nil if the to-one is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member?> where Value == Target? {
    field(Target.self, member)
  }

  /// An optional property of the object that the to-one refers to; nil if the property or the
  /// to-one is nil.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member?>> & Sendable
  ) -> MagicField<Member?> where Value == Target? {
    field(Target.self, member)
  }

  package func field<Target: MagicObject, Member, Result>(
    _ target: Target.Type, _ member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Result> {
    // A type that cannot be stored has no template. The query that uses the property throws the
    // error.
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
  /// Returns the first path followed by the second.
  fileprivate static func joined(_ first: FieldPath, _ second: FieldPath?) -> FieldPath {
    guard let second else { return first }
    return FieldPath(second.toOne, before: joined(first, second.before))
  }

  /// The to-ones in the order in which the key path passes through them.
  package var toOnes: [PropertyReference] { (before?.toOnes ?? []) + [toOne] }
}
