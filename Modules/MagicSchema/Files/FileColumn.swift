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

  package override func content(
    of reference: PropertyReference, in store: StoreToken
  ) -> FileContentState {
    guard let value = reference.load(Value.self) else { return .unset }
    guard let content = value.content else { return .none }
    if content.name(in: store) != nil { return .some(content) }
    // A value that lies packed in a row is made anew with every read. This one must stay: it is to
    // know its new place.
    let kept = reference.cellForChange(Value.self).load()
    return .some(kept?.content ?? content)
  }
}

/// What a property of files has.
package enum FileContentState {
  /// Nothing was ever set, or nil.
  case unset
  /// A value without content, for which there is no file.
  case none
  case some(FileContent)
}
