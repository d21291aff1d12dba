import MagicRuntime
import MagicSchema

extension GraphSaver {
  func visit(_ row: PackedRow) throws {
    let chunk = row.chunk
    let schema = chunk.schema
    let isUnchanged = isUnchanged(row)
    guard try schema.reach.hasRelationships else {
      if !isUnchanged { enqueueObject(of: row) }
      return
    }
    guard isUnchanged, objects.ownChanges == nil,
      !schema.collections.indices.contains(where: { index in
        guard !schema.collections[index].isLazy else { return false }
        let box = row.slotBox(schema.columns.count + index)
        return box.withLock { box.isChanged }
      })
    else { return enqueueObject(of: row) }
    guard visited.insert(UInt(bitPattern: row.address)) else { return }

    for toOne in schema.toOnes where !toOne.schema.isLazy && !row.isNull(toOne.column) {
      queue.append(.row(row.target(toOne.column)))
    }
    for (index, collection) in schema.collections.enumerated() where !collection.isLazy {
      let property = PropertyReference(
        storage: chunk.rootStorage,
        location: PropertyReference.location(row: row, column: schema.columns.count + index))
      try visitMembers(
        CapturedCollection(
          owner: schema, collection: index, ownerID: row.zIndex, property: property,
          members: collection.capture(property) { _ in }, state: .saved))
    }
  }

  /// Returns whether a row was fetched from this database, and its object was neither changed nor
  /// saved nor removed since then.
  func isUnchanged(_ row: PackedRow) -> Bool {
    row.existingRecord == nil && row.chunk.store == store
  }

  func enqueueObject(of row: PackedRow) {
    queue.append(.objects(row.chunk.schema.makeRetainedObject(from: row), 0))
  }
}
