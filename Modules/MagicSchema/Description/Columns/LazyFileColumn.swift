import MagicRuntime
import Magical

/// A value in a file whose name is fetched when it is asked for. The row's slot holds the name all
/// the same, for an object that goes to another database.
final class LazyFileColumn<Value: LazyValue, Content: FileValue>: ColumnSchema,
  @unchecked Sendable
{
  init(property: String, role: Role, options: [MagicOption], template: PropertyReference) {
    super.init(
      property: property, role: role, options: options, template: template,
      valueType: Value.self, codec: .file, packing: .lazy,
      storageClass: Content.StoredValue.storageClass)
  }

  override func isChanged(_ property: PropertyReference, since first: PropertyReference) -> Bool {
    let propertyBox = property.lazyPropertyBox
    switch LazyReference.place(property).resolved() {
    case .null:
      return propertyBox.map { propertyBox in propertyBox.withLock { propertyBox.isChanged } }
        ?? false
    case .row(let place): return !place.isSame(as: property)
    case .box(let box, _): return !(propertyBox?.isTaken(box) ?? false)
    }
  }

  override func capture(
    _ property: PropertyReference, in store: StoreToken, marking: (AnyPropertyBox) -> Void
  ) -> CapturedFile {
    let propertyBox = property.lazyPropertyBox
    switch LazyReference.place(property).resolved() {
    case .null:
      if let propertyBox { marking(propertyBox) }
      return CapturedFile(.unset)
    case .box(let box, _):
      guard let propertyBox, let (value, version) = (box as? LazyBox<Content>)?.content else {
        return CapturedFile(.lost)
      }
      let (_, taking) = propertyBox.take(box, version: version)
      return CapturedFile(
        value.content.map { .content($0) } ?? .none,
        lazy: LazyCapture(taking) {
          propertyBox.settle(box, version: version, at: property, keeping: $0)
        })
    case .row(let place):
      let isOwn = place.isSame(as: property)
      // Of a property that was set since, the row has another name than was fetched.
      guard !place.isBox, place.lazyPropertyBox == nil else {
        return CapturedFile(isOwn && place.lazyOwner() == nil ? .unset : .lost)
      }
      return CapturedFile(
        place.fileInRow.map { .content($0) } ?? .none,
        lazy: LazyCapture { propertyBox?.settle(isOwn ? nil : place, keeping: $0) })
    }
  }

  override func text(of reference: PropertyReference) -> String? {
    switch LazyReference.place(reference).resolved() {
    case .null: nil
    case .row: "lazy"
    case .box(let box, _): (box as? LazyBox<Content>)?.content.map { value, _ in "\(value)" }
    }
  }
}

extension PropertyReference {
  /// The file that a fetched row names; nil for none.
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
