import MagicRuntime
import Magical

/// A to-one whose object is fetched when the property is read. The slot of the row contains the row
/// ID of the object.
package final class LazyToOneColumn<Value: LazyValue, Target: MagicObject>: ToOneColumn,
  @unchecked Sendable
{
  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Value.self, targetType: Target.self, packing: .lazy)
  }

  package override func capture(
    _ property: PropertyReference, marking: (AnyPropertyBox) -> Void
  ) throws -> CapturedLink {
    let propertyBox = property.lazyPropertyBox
    let saved = propertyBox.map(\.target) ?? property.targetInRow
    switch LazyReference.place(property).resolved() {
    case .null:
      var isSet = false
      if let propertyBox {
        isSet = propertyBox.withLock {
          defer { marking(propertyBox) }
          return propertyBox.isChanged
        }
      }
      return CapturedLink(.none, saved: saved?.zIndex, isChanged: isSet || saved != nil)
    case .box(let box, _):
      guard let propertyBox, let (object, version) = (box as? LazyBox<Target>)?.content else {
        return CapturedLink(.lost, saved: saved?.zIndex, isChanged: true, lazy: LazyCapture())
      }
      let (isRepeated, undo) = propertyBox.beginSave(box, version: version)
      return CapturedLink(
        .object(RetainedObject(object, schema: try ObjectSchema.of(Target.self))),
        saved: saved?.zIndex,
        isChanged: !isRepeated,
        lazy: LazyCapture(undo) {
          propertyBox.endSave(box, version: version, at: property, lease: $0)
        })
    case .row(let place):
      let isOwn = place.isSame(as: property)
      let kept = isOwn ? saved : place.lazyPropertyBox.map(\.target) ?? place.targetInRow
      guard let kept else {
        return CapturedLink(
          isOwn ? .none : .lost, saved: saved?.zIndex, isChanged: !isOwn,
          lazy: isOwn ? nil : LazyCapture())
      }
      return CapturedLink(
        .kept(kept), saved: saved?.zIndex, isChanged: !isOwn,
        lazy: LazyCapture { propertyBox?.endSave(isOwn ? nil : place, lease: $0) })
    }
  }

  package override func recordSaved(
    _ target: Int64?, of store: StoreToken, in property: PropertyReference
  ) -> UndoAction? {
    property.lazyPropertyBox?.note(target.map { LazyTarget(store: store, zIndex: $0) })
  }

  package override func clear(
    _ property: PropertyReference, where isDeleted: (ObjectReference) -> Bool
  ) {
    guard let propertyBox = property.lazyPropertyBox, isNullable,
      let schema = try? ObjectSchema.of(Target.self),
      case .box(let box, _) = LazyReference.place(property).resolved(),
      let (object, version) = (box as? LazyBox<Target>)?.content,
      schema.withReference(to: object, isDeleted)
    else { return }
    propertyBox.clear(box, version: version)
  }

  override func shown(_ reference: PropertyReference) -> Any? {
    switch LazyReference.place(reference).resolved() {
    case .null: nil
    case .row: ShownText("lazy")
    case .box(let box, _):
      (box as? LazyBox<Target>)?.content.map { object, _ in ShownText(object) }
    }
  }
}
