import MagicRuntime
import Magical

/// A to-one whose object is fetched with its owner.
package final class TypedToOneColumn<Target: MagicObject>: ToOneColumn, @unchecked Sendable {
  private let boxType: AnyClass = RelationshipBox<Target>.self

  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Target.self, targetType: Target.self, packing: .link)
  }

  private func relationshipBox(_ box: AnyPropertyBox) -> RelationshipBox<Target>? {
    relationshipBox(box, boxType)
  }

  package override func exclude(_ column: Int, of row: PackedRow) {
    guard !row.isNull(column) else { return }
    row.exclude(column) { RelationshipBox<Target>(excludedTarget: $0) }
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedLink {
    guard let present = property.existingBox(.link) else {
      let row = property.row
      guard !row.isNull(property.column) else {
        return CapturedLink(.none, saved: nil, isChanged: false)
      }
      let target = row.target(property.column)
      return CapturedLink(.row(target), saved: target.zIndex, isChanged: false)
    }
    guard let box = relationshipBox(present) else { throw MagicError.notRelation(self) }
    box.lockPresentValue()
    let isChanged = box.isChanged
    marking(box)
    let (saved, isExcluded) = (box.target, box.isExcluded)
    let known = box.value
    // The value is created without the lock, and another task may set one meanwhile.
    let deferred = box.isDeferred && !isExcluded ? box.makeCopy() : nil
    box.unlockPresentValue()
    if isExcluded, let saved {
      let kept = LazyTarget(store: property.row.chunk.store, zIndex: saved)
      return CapturedLink(.kept(kept), saved: saved, isChanged: false)
    }
    let value = if let deferred { deferred.load() } else { known }
    guard let value else { return CapturedLink(.none, saved: saved, isChanged: isChanged) }
    return CapturedLink(
      .object(RetainedObject(value, schema: try target)),
      saved: saved, isChanged: isChanged)
  }

  package override func recordSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> UndoAction? {
    guard let present = property.existingBox(.link) ?? newBox(property, for: target),
      let box = relationshipBox(present)
    else { return nil }
    let before = box.replaceTarget(with: target)
    return UndoAction { _ = box.replaceTarget(with: before) }
  }

  /// Returns a box for the new row ID of a fetched target that was saved to another database. Nil if
  /// the row ID is the fetched one, or if owner and target belong to one graph: the box would retain
  /// the graph, which retains the box. Without a box, the next save writes the reference again.
  private func newBox(_ property: PropertyReference, for target: Int64?) -> AnyPropertyBox? {
    let row = property.row
    guard !row.isNull(property.column) else { return nil }
    let fetched = row.target(property.column)
    guard fetched.zIndex != target, fetched.chunk.rootStorage !== row.chunk.rootStorage else {
      return nil
    }
    return property.boxForChange(Target.self)
  }

  package override func releaseRetainCycle(_ property: PropertyReference) {
    guard staysInGraph, !property.isBox, let schema = try? ObjectSchema.of(Target.self),
      let box = property.existingBox(.link).flatMap(relationshipBox)
    else { return }
    box.releaseRetainCycle { object in
      schema.withReference(to: object) { $0.row(in: property.storage) }.map { row in
        { schema.makeObject(Target.self, from: row) }
      }
    }
  }

  package override func clear(
    _ property: PropertyReference, where isDeleted: (ObjectReference) -> Bool
  ) {
    guard let schema = try? ObjectSchema.of(Target.self) else { return }
    let box = property.boxForChange(Target.self)
    guard let value = box.load(), schema.withReference(to: value, isDeleted) else { return }
    let old = box.withLock { () -> (Target?, SavedValue?)? in
      // If another task has set a value meanwhile, that value is kept.
      guard !box.isChanged else { return nil }
      defer {
        box.value = nil
        box.isDeferred = false
      }
      // The fetched row no longer contains the saved value.
      return (box.value, box.markSaved())
    }
    withExtendedLifetime(old) {}
  }

  override func shown(_ reference: PropertyReference) -> Any? {
    reference.load(Target.self).map { ShownText($0) }
  }
}
