import MagicRuntime
import Magical

/// A collection of objects that is fetched with its owner.
package final class TypedCollectionColumn<Value: ObjectCollection>: CollectionColumn,
  @unchecked Sendable
{
  private let boxType: AnyPropertyBox.Type = RelationshipBox<Value>.self

  init(
    property: String, options: [MagicOption], template: PropertyReference,
    through: (any ThroughRelationship)? = nil
  ) {
    super.init(
      of: Value.self, property: property, options: options, template: template,
      valueType: Value.self, through: through)
  }

  private func relationshipBox(_ box: AnyPropertyBox) -> RelationshipBox<Value>? {
    relationshipBox(box, boxType)
  }

  package override func makeValue<Result>(of links: LinkSlice, as type: Result.Type) -> Result? {
    let members = links.list.target.makeObjects(Value.Member.self, at: links.rows)
    return Value(members: members, keys: links.list.keys, start: links.start) as? Result
  }

  package override func makeBox(_ links: LinkSlice) -> AnyPropertyBox {
    boxType.makeBox(of: links)
  }

  package override func makeExcludedBox() -> AnyPropertyBox {
    RelationshipBox<Value>(excludedTarget: nil)
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedMembers {
    guard let present = property.existingBox(.object) else {
      return CapturedMembers(.unset, saved: nil, isChanged: false)
    }
    guard let box = relationshipBox(present) else { throw MagicError.notRelation(self) }
    box.lockPresentValue()
    let isChanged = box.isChanged
    marking(box)
    let (saved, isExcluded) = (box.links, box.isExcluded)
    let isFetched = !isChanged && saved.map { $0.rows.count == $0.count } ?? false
    let known = box.value
    // The value is created without the lock, and another task may set one meanwhile.
    let deferred = box.isDeferred && !isExcluded && !isFetched ? box.makeCopy() : nil
    box.unlockPresentValue()
    if isExcluded { return CapturedMembers(.kept, saved: nil, isChanged: false) }
    if isFetched, let saved {
      return CapturedMembers(.fetched(saved), saved: saved, isChanged: false)
    }
    let value = if let deferred { deferred.load() } else { known }
    guard let value else {
      return CapturedMembers(.unset, saved: saved, isChanged: isChanged)
    }
    let (members, keys) = value.membersAndKeys
    return CapturedMembers(
      .objects(RetainedArray(members, schema: try target), keys),
      saved: saved, isChanged: isChanged)
  }

  package override func recordSaved(
    _ links: LinkSlice, in property: PropertyReference
  ) -> UndoAction? {
    // Without `flatMap`, which would look up the class of the box.
    guard let present = property.existingBox(.object), let box = relationshipBox(present) else {
      return nil
    }
    let before = box.replaceLinks(with: links)
    return UndoAction { _ = box.replaceLinks(with: before) }
  }

  package override func drop(
    from property: PropertyReference, where isDeleted: (ObjectReference) -> Bool
  ) {
    guard let box = property.existingBox(.object).flatMap(relationshipBox),
      let schema = try? ObjectSchema.of(Value.Member.self)
    else { return }
    // A value that was not read yet is created from its links, from which the deleted members are
    // already removed.
    guard var value = box.load(),
      value.membersAndKeys.members.contains(where: { schema.withReference(to: $0, isDeleted) })
    else { return }
    value.drop { schema.withReference(to: $0, isDeleted) }
    let old = box.withLock { () -> Value? in
      // If another task has set a value meanwhile, that value is kept.
      guard !box.isChanged else { return nil }
      defer {
        box.value = value
        box.isDeferred = false
      }
      return box.value
    }
    withExtendedLifetime(old) {}
  }

  package override func releaseRetainCycle(_ property: PropertyReference) {
    guard staysInGraph, !property.isBox, let schema = try? ObjectSchema.of(Value.Member.self),
      let box = property.existingBox(.object).flatMap(relationshipBox)
    else { return }
    box.releaseRetainCycle { value in
      let (members, keys) = value.membersAndKeys
      let released = members.map { member in
        schema.withReference(to: member) { $0.row(in: property.storage) }.map(ReleasedMember.row)
          ?? ReleasedMember.object(member)
      }
      guard released.contains(where: { if case .row = $0 { true } else { false } }) else {
        return nil
      }
      return { Value(members: released.map { $0.member(schema) }, keys: keys, start: 0) }
    }
  }

  /// A member of a collection whose value was released.
  private enum ReleasedMember {
    /// A row of the graph. It retains nothing.
    case row(PackedRow)
    case object(Value.Member)

    func member(_ schema: ObjectSchema) -> Value.Member {
      switch self {
      case .row(let row): schema.makeObject(Value.Member.self, from: row)
      case .object(let member): member
      }
    }
  }

  override func shown(_ reference: PropertyReference) -> Any? {
    reference.load(Value.self).map { ShownText($0) }
  }
}
