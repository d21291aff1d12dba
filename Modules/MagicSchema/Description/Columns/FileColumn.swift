import Magical

/// A column that contains file names.
package final class FileColumn<Value: FileValue>: TypedColumn<Value>, @unchecked Sendable {
  init(
    fileProperty property: String, role: Role, options: [MagicOption],
    template: PropertyReference
  ) {
    super.init(
      property: property, role: role, options: options, template: template, codec: .file)
  }

  package override func capture(
    _ property: PropertyReference, in store: StoreToken, marking: (AnyPropertyBox) -> Void
  ) -> CapturedFile {
    // The changed flag is cleared before the value is read. If another task sets the value in
    // between, the property remains marked as changed.
    if let box = property.existingBox(packing) { marking(box) }
    guard let value = property.load(Value.self) else { return CapturedFile(.unset) }
    guard let content = value.content else { return CapturedFile(.none) }
    if content.name(in: store) != nil { return CapturedFile(.content(content)) }
    // A value in a packed row is created by each read. This one is moved to a box, because the save
    // records in it where the file is stored.
    let kept = property.boxForChange(Value.self).load()
    return CapturedFile(.content(kept?.content ?? content))
  }
}
