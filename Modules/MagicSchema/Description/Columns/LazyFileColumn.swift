import MagicRuntime
import Magical

/// A column of file names whose value is fetched when the property is read. The slot of the row
/// contains the name nevertheless, because the object may be saved to another database.
final class LazyFileColumn<Value: LazyValue, Content: FileValue>: ColumnSchema,
  @unchecked Sendable
{
  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Value.self, codec: .file, packing: .lazy,
      storageClass: Content.StoredValue.storageClass)
  }

  package override var hasOwnChangeRule: Bool { true }

  override func isChanged(_ property: PropertyReference, since first: PropertyReference) -> Bool {
    let propertyBox = property.lazyPropertyBox
    switch LazyReference.place(property).resolved() {
    case .null:
      return propertyBox.map { propertyBox in propertyBox.withLock { propertyBox.isChanged } }
        ?? false
    case .row(let place): return !place.isSame(as: property)
    case .box(let box, _): return !(propertyBox?.isBeingSaved(box) ?? false)
    }
  }

  override func capture(
    _ property: PropertyReference, in store: StoreToken, marking: (AnyPropertyBox) -> Void
  ) -> CapturedFile {
    let propertyBox = property.lazyPropertyBox
    switch LazyReference.place(property).resolved() {
    case .null:
      if let propertyBox { propertyBox.withLock { marking(propertyBox) } }
      return CapturedFile(.unset)
    case .box(let box, _):
      guard let propertyBox, let (value, version) = (box as? LazyBox<Content>)?.content else {
        return CapturedFile(.lost)
      }
      let (_, undo) = propertyBox.beginSave(box, version: version)
      return CapturedFile(
        value.content.map { .content($0) } ?? .none,
        lazy: LazyCapture(undo) {
          propertyBox.endSave(box, version: version, at: property, lease: $0)
        })
    case .row(let place):
      let isOwn = place.isSame(as: property)
      // If the property was set after the fetch, the name in the fetched row is outdated.
      guard !place.isBox, place.lazyPropertyBox == nil else {
        return CapturedFile(isOwn && place.lazyOwner() == nil ? .unset : .lost)
      }
      return CapturedFile(
        place.fileInRow.map { .content($0) } ?? .none,
        lazy: LazyCapture { propertyBox?.endSave(isOwn ? nil : place, lease: $0) })
    }
  }

  override func shown(_ reference: PropertyReference) -> Any? {
    switch LazyReference.place(reference).resolved() {
    case .null: nil
    case .row: ShownText("lazy")
    case .box(let box, _): (box as? LazyBox<Content>)?.content.map { value, _ in value }
    }
  }
}

extension PropertyReference {
  /// The file that a fetched row refers to; nil if there is none.
  fileprivate var fileInRow: FileContent? {
    withExtendedLifetime(storage) {
      let bytes = _MagicalPackedValue(slot: row.slot(column), row: row.address).bytes
      guard !bytes.isEmpty else { return nil }
      let chunk = row.chunk
      return FileContent(
        at: FileContent.Place(store: chunk.store, name: String(decoding: bytes, as: UTF8.self)),
        of: (chunk.schema, column))
    }
  }
}
