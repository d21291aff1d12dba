/// Fetched rows, packed one behind the other: one allocation for many objects.
///
/// One object keeps its whole chunk, which is why a chunk holds ``capacityLimit`` bytes at most,
/// unless a single row is larger. It also keeps what its rows refer to.
///
/// From the end of the memory a directory of the rows' offsets grows downwards.
@usableFromInline
package final class RowChunk: PropertyStorage {
  package static var capacityLimit: Int { 32 * 1024 }

  @usableFromInline package let base: UnsafeMutableRawPointer
  @usableFromInline package let capacity: Int
  /// The type of the rows.
  @usableFromInline package let type: TypeLayout
  package let store: StoreToken
  /// Keeps the store open for lazy properties of the rows. Set before any object is made of them.
  @exclusivity(unchecked) package var storeKeeper: StoreKeeper?
  @exclusivity(unchecked) @usableFromInline final var storedRowCount = 0
  private let columnCount: Int

  /// What the chunk is a part of. The graph keeps it then, and the rows' properties the graph.
  @exclusivity(unchecked) private unowned(unsafe) var graph: RowGraph?
  /// What keeps the rows that rows of this one refer to.
  @exclusivity(unchecked) private var kept = RetainedStorage()

  /// Memory for `capacity` bytes, directory included.
  package init(capacity: Int, schema type: TypeLayout, store: StoreToken) {
    self.capacity = (capacity + 7) & ~7
    self.type = type
    self.store = store
    columnCount = type.layout.columnCount
    // As words: memory for bytes of an alignment is asked for in a slower way.
    base = UnsafeMutableRawPointer(
      UnsafeMutablePointer<UInt64>.allocate(capacity: self.capacity / 8))
    super.init()
  }

  deinit {
    for index in 0..<storedRowCount {
      let row = row(index)
      if let record = row.recordSlot.pointee {
        Unmanaged<ObjectRecord>.fromOpaque(record).release()
      }
      for slot in type.layout.objectSlots where slot >= columnCount || !row.isNull(slot) {
        row.slot(slot).assumingMemoryBound(to: Unmanaged<AnyPropertyBox>?.self).pointee?.release()
      }
    }
    base.assumingMemoryBound(to: UInt64.self).deallocate()
  }

  /// What a property of a row keeps.
  package var keeper: PropertyStorage { graph ?? self }

  /// Makes the chunk a part of a graph, before any object is made of it.
  package func join(_ graph: RowGraph) {
    self.graph = graph
    graph.add(self)
  }

  /// Keeps what a row refers to, before any object is made of it.
  package func keep(_ target: RowChunk) {
    let keeper = target.keeper
    guard keeper !== self.keeper else { return }
    if let graph { return graph.keep(keeper) }
    kept.insert(keeper)
  }

  /// How many rows it holds.
  @inlinable
  package var rowCount: Int { storedRowCount }

  /// Enters a finished row into the directory.
  @usableFromInline
  package func append(_ row: PackedRow) {
    storedRowCount += 1
    (base + capacity - storedRowCount * 4).storeBytes(
      of: UInt32(truncatingIfNeeded: row.address - base), as: UInt32.self)
  }

  @inlinable
  package func row(_ index: Int) -> PackedRow {
    PackedRow(address: base + Int((base + capacity - (index + 1) * 4).load(as: UInt32.self)))
  }

  /// How many of a row's slots are columns of its table; the others are collections.
  @usableFromInline
  static func columnCount(of row: PackedRow) -> Int { row.chunk.columnCount }
}

extension PackedRow {
  @inlinable
  package var chunk: RowChunk {
    (address + RowLayout.chunkOffset).load(as: Unmanaged<RowChunk>.self).takeUnretainedValue()
  }
}
