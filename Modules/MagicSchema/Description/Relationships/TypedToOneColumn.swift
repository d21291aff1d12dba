import MagicRuntime
import Magical

package final class TypedToOneColumn<Target: MagicObject>: ToOneColumn, @unchecked Sendable {
  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Target.self, targetType: Target.self, packing: .link)
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyCell) -> Void
  ) throws -> CapturedLink {
    guard let present = property.existingCell(.link) else {
      let row = property.row
      guard !row.isNull(property.column) else {
        return CapturedLink(.none, saved: nil, isChanged: false)
      }
      let target = row.target(property.column)
      return CapturedLink(.row(target), saved: target.zIndex, isChanged: false)
    }
    let cell: RelationCell<Target> = try relationCell(present)
    let (known, saved, isChanged, isDeferred) = cell.withPresentValue {
      let isChanged = cell.isChanged
      marking(cell)
      return (cell.value, cell.target, isChanged, cell.isDeferred)
    }
    let value = isDeferred ? cell.load() : known
    guard let value else { return CapturedLink(.none, saved: saved, isChanged: isChanged) }
    return CapturedLink(
      .object(HeldArray<Target>([value], schema: try ObjectSchema.of(Target.self))), saved: saved, isChanged: isChanged)
  }

  package override func noteSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> SavedLink? {
    guard let present = property.existingCell(.link) ?? newCell(property, for: target),
      let cell = present as? RelationCell<Target>
    else { return nil }
    let before = cell.withLock {
      defer { cell.target = target }
      return cell.target
    }
    return SavedLink { cell.withLock { cell.target = before } }
  }

  /// A cell for a row's to-one that leads to another row than it was fetched with: what it leads to
  /// went to another database. Rows of one graph get none, since it would keep the graph for ever;
  /// they are written once more with the next save.
  private func newCell(_ property: PropertyReference, for target: Int64?) -> AnyCell? {
    let row = property.row
    guard !row.isNull(property.column) else { return nil }
    let fetched = row.target(property.column)
    guard fetched.zIndex != target, fetched.chunk.keeper !== row.chunk.keeper else { return nil }
    return property.cellForChange(Target.self)
  }

  package override func loosen(_ property: PropertyReference) {
    guard staysInGraph, !property.isCell, let schema = try? ObjectSchema.of(Target.self),
      let cell = property.existingCell(.link) as? RelationCell<Target>
    else { return }
    cell.loosen { object in
      schema.withReference(to: object) { $0.row(in: property.storage) }.map { row in
        { schema.makeObject(Target.self, from: row) }
      }
    }
  }

  package override func clear(
    _ property: PropertyReference, where isGone: (ObjectReference) -> Bool
  ) {
    guard let schema = try? ObjectSchema.of(Target.self) else { return }
    let cell = property.cellForChange(Target.self)
    guard let value = cell.load(), schema.withReference(to: value, isGone) else { return }
    let old = cell.withLock { () -> Target? in
      // Another value that was set meanwhile stays.
      guard !cell.isChanged else { return nil }
      defer {
        cell.value = nil
        cell.isDeferred = false
      }
      return cell.value
    }
    withExtendedLifetime(old) {}
  }

  override func text(of reference: PropertyReference) -> String? {
    reference.load(Target.self).map {
      "\(TypeName.unqualified(Target.self))(\($0.zIndex.map { "\($0)" } ?? "unsaved"))"
    }
  }
}
