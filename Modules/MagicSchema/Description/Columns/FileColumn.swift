import MagicRuntime
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
    guard let value = property.load(Value.self, marking: marking) else {
      return CapturedFile(.unset)
    }
    guard let content = value.content else { return CapturedFile(.none) }
    if content.name(in: store) != nil { return CapturedFile(.content(content)) }
    // A value in a packed row is created by each read. This one is moved to a box, because the save
    // records in it where the file is stored, unless another task has set a value meanwhile.
    let box = property.boxForChange(Value.self)
    let kept = box.withLock { box.isChanged ? nil : box.value }
    return CapturedFile(.content(kept?.content ?? content))
  }
}
