/// Properties across a to-one, for key paths like `\Playlist.$owner.$name`.
extension MagicField {
  /// A property of the object that the to-one leads to.
  public subscript<Member>(
    dynamicMember member: any KeyPath<Value, MagicField<Member>> & Sendable
  ) -> MagicField<Member> where Value: MagicObject {
    field(Value.self, member)
  }

  /// A property of the object that the to-one may lead to: nil where it leads to none.
  public subscript<Target: MagicObject, Member>(
    dynamicMember member: any KeyPath<Target, MagicField<Member>> & Sendable
  ) -> MagicField<Member?> where Value == Target? {
    field(Target.self, member)
  }

  /// An optional property of the object that the to-one may lead to: nil in either case.
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

extension ObjectSchema {
  /// Where a property is that a key path leads to: the places of the to-ones on the way in their
  /// types, then the property's in its own; columns, then collections, then reverse properties.
  ///
  /// - Throws: `MagicError` with `.invalidQuery` where the key path leads to no property of these
  ///   types.
  package func steps<Value>(to field: MagicField<Value>) throws -> [Int] {
    var schema = self
    var steps: [Int] = []
    for reference in field.path?.toOnes ?? [] {
      let step = try schema.place(of: reference)
      guard step < schema.columns.count, let toOne = schema.columns[step] as? ToOneColumn else {
        throw schema.noProperty()
      }
      steps.append(step)
      schema = try toOne.target
    }
    return steps + [try schema.place(of: field.reference)]
  }

  private func place(of reference: PropertyReference) throws -> Int {
    guard let place = properties.firstIndex(where: { $0.template.storage === reference.storage })
    else { throw noProperty() }
    return place
  }

  private func noProperty() -> MagicError {
    MagicError(
      .invalidQuery, "A key path leads to no stored property of the type.", type: typeName)
  }
}

extension MagicField {
  /// The property; nil where it lies across a to-one.
  package var ownReference: PropertyReference? { path == nil ? reference : nil }
}
