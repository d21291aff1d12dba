package import MagicSchema

extension LazyReference {
  /// Edits a lazy collection for all copies of its owner: its members in memory, or else the
  /// pending edits of its row.
  ///
  /// - Returns: false if the members are in memory, where a condition cannot be evaluated. Then
  ///   nothing was edited.
  @discardableResult
  package func edit<Content: ObjectCollection>(
    _ edits: [LazyEdit<Content.Member>], of type: Content.Type
  ) -> Bool {
    guard !edits.isEmpty else { return true }
    let needsDatabase = edits.contains { if case .removeMatching = $0 { true } else { false } }
    // Each pass ends the loop unless another task has saved or set the collection meanwhile.
    while true {
      switch resolved() {
      case .row(let place) where place.lazyOwner() != nil:
        guard let box = place.lazyPropertyBoxForChange(), !box.edit(edits) else { return true }
      case .null, .row:
        if !needsDatabase { set(Content.empty.applying(edits)) }
        return !needsDatabase
      case .box(let box as LazyEdits<Content.Member>, let place):
        guard let property = place?.lazyPropertyBox, box.isOwned(by: property),
          !property.edit(edits)
        else { return true }
      case .box(let box, _):
        guard !needsDatabase, let box = box as? LazyBox<Content> else { return !needsDatabase }
        guard let (content, version) = box.content else { continue }
        if box.replace(version, with: content.applying(edits)) { return true }
      }
    }
  }
}
