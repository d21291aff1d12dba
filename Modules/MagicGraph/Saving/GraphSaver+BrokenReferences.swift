import MagicEngine
import MagicSchema

extension GraphSaver {
  /// Removes references to rows that were assumed to exist, but that another writer has deleted.
  /// The objects of these rows are not inserted again.
  func removeBrokenReferences() throws {
    for reference in references {
      let target = try reference.owner.schema.toOnes[reference.toOne].schema.target
      guard try !engine.hasRow(reference.target, of: target) else { continue }
      try correct(reference, to: nil)
    }
    try objects.flush()
    for written in memberships { try removeBrokenMembers(written) }
  }

  private func removeBrokenMembers(_ written: WrittenMembers) throws {
    let target = try written.owner.collections[written.collection].target
    let missing = try written.inserted.filter { try !engine.hasRow($0, of: target) }
    guard !missing.isEmpty else { return }
    try engine.removeMembers(
      missing, of: written.ownerID, in: written.collection, of: written.owner)
    let rows = Set(missing)
    let store = store
    let column = written.owner.collections[written.collection]
    objects.log.onCommit {
      column.drop(from: written.property) {
        $0.identity.map { $0.store == store && rows.contains($0.zIndex.rawValue) } ?? false
      }
      column.releaseRetainCycle(written.property)
    }
  }
}
