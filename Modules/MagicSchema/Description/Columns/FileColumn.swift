import Magical

/// A column of names of files.
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
    // The flag goes first: a value that is set meanwhile stays marked.
    if let box = property.existingBox(packing) { marking(box) }
    guard let value = property.load(Value.self) else { return CapturedFile(.unset) }
    guard let content = value.content else { return CapturedFile(.none) }
    if content.name(in: store) != nil { return CapturedFile(.content(content)) }
    // A value that lies packed in a row is made again with every read. This one must stay: it is to
    // know its new place.
    let kept = property.boxForChange(Value.self).load()
    return CapturedFile(.content(kept?.content ?? content))
  }
}
