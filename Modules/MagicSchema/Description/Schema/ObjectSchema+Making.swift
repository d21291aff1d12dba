import CMagicRuntime

extension ObjectSchema {
  /// Creates the objects of fetched rows, in the order of the chunks.
  package func makeObjects<Model: MagicObject>(
    _ type: Model.Type, from chunks: [RowChunk]
  ) -> [Model] {
    let count = chunks.reduce(0) { $0 + $1.rowCount }
    // `unsafeUninitializedCapacity: 0` would write to the storage that all empty arrays share,
    // which is a data race.
    guard count > 0 else { return [] }
    return [Model](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      guard var place = buffer.baseAddress else { return }
      for chunk in chunks {
        fill(place, rootStorage: chunk.rootStorage, count: chunk.rowCount) { chunk.row($0) }
        place += chunk.rowCount
      }
      initializedCount = count
    }
  }

  /// Creates the objects of single rows, in their order.
  package func makeObjects<Model: MagicObject>(
    _ type: Model.Type, at rows: ArraySlice<PackedRow>
  ) -> [Model] {
    guard !rows.isEmpty else { return [] }
    return [Model](unsafeUninitializedCapacity: rows.count) { buffer, initializedCount in
      guard var place = buffer.baseAddress else { return }
      var start = rows.startIndex
      while start < rows.endIndex {
        // Adjacent rows of one chunk are filled together, so that the chunk is retained in one
        // step.
        var end = start + 1
        while end < rows.endIndex, rows[end].isInSameChunk(as: rows[start]) { end += 1 }
        fill(place, rootStorage: rows[start].chunk.rootStorage, count: end - start) {
          rows[start + $0]
        }
        place += end - start
        start = end
      }
      initializedCount = rows.count
    }
  }

  /// Creates the object of one fetched row.
  package func makeObject<Model: MagicObject>(_ type: Model.Type, from row: PackedRow) -> Model {
    guard isDense else { return makeByInit(from: row) }
    return withUnsafeTemporaryAllocation(of: Model.self, capacity: 1) { buffer in
      guard let place = buffer.baseAddress else { return makeByInit(from: row) }
      fill(place, rootStorage: row.chunk.rootStorage, count: 1) { _ in row }
      return place.move()
    }
  }

  private func makeByInit<Model: MagicObject>(from row: PackedRow) -> Model {
    var object = Model()
    let rootStorage = row.chunk.rootStorage
    withUnsafeMutablePointer(to: &object) { instance in
      let raw = UnsafeMutableRawPointer(instance)
      let base = isClass ? raw.load(as: UnsafeMutableRawPointer.self) : raw
      for (column, offset) in offsets.enumerated() {
        (base + offset).assumingMemoryBound(to: PropertyReference.self).pointee =
          PropertyReference(
            storage: rootStorage, location: PropertyReference.location(row: row, column: column))
      }
    }
    return object
  }

  /// Creates objects in uninitialised memory.
  @inline(__always)
  private func fill<Model: MagicObject>(
    _ place: UnsafeMutablePointer<Model>, rootStorage: PropertyStorage, count: Int,
    row: (Int) -> PackedRow
  ) {
    guard isDense else {
      for index in 0..<count { (place + index).initialize(to: makeByInit(from: row(index))) }
      return
    }
    guard count > 0 else { return }
    // The storage is retained once for all wrappers; everything else is a plain store.
    let storage = Unmanaged.passUnretained(rootStorage).toOpaque()
    magic_retain(storage, UInt32(count * offsets.count))
    offsets.withUnsafeBufferPointer { offsets in
      var instance = UnsafeMutableRawPointer(place)
      for index in 0..<count {
        var location = PropertyReference.location(row: row(index), column: 0)
        for offset in offsets {
          let reference = instance + offset
          reference.storeBytes(of: storage, as: UnsafeMutableRawPointer.self)
          reference.storeBytes(of: location, toByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
          location += 1
        }
        instance += MemoryLayout<Model>.stride
      }
    }
  }
}
