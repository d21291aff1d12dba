import MagicRuntime
import MagicSchema

extension GraphSaver {
  func visit(_ row: PackedRow) throws {
    let chunk = row.chunk
    let schema = chunk.schema
    let isUntouched = isUntouched(row)
    guard try schema.reach.hasRelationships else {
      if !isUntouched { hold(row) }
      return
    }
    guard isUntouched, objects.ownChanges == nil,
      !schema.collections.indices.contains(where: { index in
        guard !schema.collections[index].isLazy else { return false }
        let box = row.slotBox(schema.columns.count + index)
        return box.withLock { box.isChanged }
      })
    else { return hold(row) }
    guard visited.insert(UInt(bitPattern: row.address)).inserted else { return }

    for toOne in schema.toOnes where !toOne.schema.isLazy && !row.isNull(toOne.column) {
      waiting.append(.row(row.target(toOne.column)))
    }
    for (index, collection) in schema.collections.enumerated() where !collection.isLazy {
      let property = PropertyReference(
        storage: chunk.rootStorage,
        location: PropertyReference.location(row: row, column: schema.columns.count + index))
      try follow(
        CapturedCollection(
          owner: schema, collection: index, ownerID: row.zIndex, property: property,
          members: collection.capture(property) { _ in }, state: .saved))
    }
  }

  /// Whether a row is what it was when this database gave it out.
  func isUntouched(_ row: PackedRow) -> Bool {
    row.existingRecord == nil && row.chunk.store == store
  }

  func hold(_ row: PackedRow) {
    waiting.append(.objects(row.chunk.schema.makeRetainedObject(from: row), 0))
  }
}
