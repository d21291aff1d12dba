package import MagicSchema

extension LazyReference {
  /// Edits a lazy collection for all copies of its owner: its members in memory, or else the
  /// pending edits of its row.
  package func edit<Content: ObjectCollection>(
    _ edits: [LazyEdit<Content.Member>], of type: Content.Type
  ) {
    guard !edits.isEmpty else { return }
    // Each pass ends the loop unless another task has saved or set the collection meanwhile.
    while true {
      switch resolved() {
      case .null: return set(Content.empty.applying(edits))
      case .row(let place):
        guard place.lazyOwner() != nil else { return set(Content.empty.applying(edits)) }
        guard let box = place.lazyPropertyBoxForChange(), !box.edit(edits) else { return }
      case .box(let box as LazyEdits<Content.Member>, let place):
        guard let property = place?.lazyPropertyBox, box.isOwned(by: property),
          !property.edit(edits)
        else { return }
      case .box(let box, _):
        guard let box = box as? LazyBox<Content> else { return }
        guard let (content, version) = box.content else { continue }
        if box.replace(version, with: content.applying(edits)) { return }
      }
    }
  }
}
