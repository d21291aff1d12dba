import MagicRuntime

/// Packed rows of a fetch in one allocation, which many objects share.
///
/// An object retains the whole chunk of its row, and a chunk the chunks that its rows refer to.
/// Therefore a chunk has at most ``capacityLimit`` bytes, unless a single row is larger.
///
/// The offsets of the rows are stored in a directory that grows downwards from the end of the
/// memory.
@usableFromInline
package final class RowChunk: PropertyStorage {
  package static var capacityLimit: Int { 32 * 1024 }

  @usableFromInline package let base: UnsafeMutableRawPointer
  @usableFromInline package let capacity: Int
  /// The type of the rows.
  @usableFromInline package let type: _TypeLayout
  package let store: StoreToken
  /// Prevents the store from closing while lazy properties of the rows may be read. Set before
  /// objects are created from the rows.
  @exclusivity(unchecked) package var storeLease: StoreLease?
  @exclusivity(unchecked) @usableFromInline final var storedRowCount = 0
  private let columnCount: Int

  /// The graph that contains the chunk; nil if there is none. The graph retains the chunk, and the
  /// properties of the rows retain the graph instead of the chunk.
  @exclusivity(unchecked) private unowned(unsafe) var graph: RowGraph?
  /// Retains the chunks that rows of this chunk refer to.
  @exclusivity(unchecked) private var kept = RetainedStorage()
  /// The texts to which slots of the rows refer. Guarded by the lock.
  @exclusivity(unchecked) private var keptTexts: [KeptText] = []

  /// Allocates a chunk of `capacity` bytes, including the directory.
  package init(capacity: Int, schema type: _TypeLayout, store: StoreToken) {
    self.capacity = (capacity + 7) & ~7
    self.type = type
    self.store = store
    columnCount = type.layout.columnCount
    // Allocated as words, because allocating bytes with an alignment is slower.
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

  /// The storage that the properties of the rows retain.
  package var rootStorage: PropertyStorage { graph ?? self }

  /// Adds the chunk to a graph. Called before objects are created from the rows.
  package func join(_ graph: RowGraph) {
    self.graph = graph
    graph.add(self)
  }

  /// Retains a chunk that rows of this chunk refer to. Called before objects are created from the
  /// rows.
  package func keep(_ target: RowChunk) {
    let rootStorage = target.rootStorage
    guard rootStorage !== self.rootStorage else { return }
    if let graph { return graph.keep(rootStorage) }
    kept.insert(rootStorage)
  }

  /// Retains a text, before a slot refers to it.
  func keep(_ text: KeptText) { withLock { keptTexts.append(text) } }

  /// The number of rows.
  @inlinable
  package var rowCount: Int { storedRowCount }

  /// Adds a completed row to the directory.
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

  /// Returns the number of a row's slots that are columns of its table. The other slots are
  /// collections.
  @usableFromInline
  static func columnCount(of row: PackedRow) -> Int { row.chunk.columnCount }
}

extension PackedRow {
  @inlinable
  package var chunk: RowChunk {
    (address + RowLayout.chunkOffset).load(as: Unmanaged<RowChunk>.self).takeUnretainedValue()
  }
}
