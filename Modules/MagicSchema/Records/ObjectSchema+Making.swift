import CMagicRuntime

extension ObjectSchema {
  /// Makes the objects of fetched rows, in the order of the chunks.
  package func makeObjects<Model: MagicObject>(
    _ type: Model.Type, from chunks: [RowChunk]
  ) -> [Model] {
    let count = chunks.reduce(0) { $0 + $1.rowCount }
    return [Model](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      guard var place = buffer.baseAddress else { return }
      for chunk in chunks {
        if isDense {
          fill(UnsafeMutableRawPointer(place), stride: MemoryLayout<Model>.stride, from: chunk)
          place += chunk.rowCount
        } else {
          for row in 0..<chunk.rowCount {
            place.initialize(to: makeObject(from: chunk, row: row))
            place += 1
          }
        }
      }
      initializedCount = count
    }
  }

  /// Makes the object of one fetched row.
  package func makeObject<Model: MagicObject>(from chunk: RowChunk, row: Int) -> Model {
    var object = Model()
    let offset = chunk.offset(ofRow: row)
    withUnsafeMutablePointer(to: &object) { instance in
      let raw = UnsafeMutableRawPointer(instance)
      let base = isClass ? raw.load(as: UnsafeMutableRawPointer.self) : raw
      for (column, plan) in plans.enumerated() {
        (base + plan.offset).assumingMemoryBound(to: PropertyReference.self).pointee =
          PropertyReference(
            storage: chunk, location: PropertyReference.location(row: offset, column: column))
      }
    }
    return object
  }

  /// Writes all wrappers of a chunk's rows into uninitialised instances: the chunk is retained once
  /// for all of them, the rest are plain stores.
  private func fill(_ start: UnsafeMutableRawPointer, stride: Int, from chunk: RowChunk) {
    let rows = chunk.rowCount
    guard rows > 0 else { return }
    let storage = Unmanaged.passUnretained(chunk as PropertyStorage).toOpaque()
    magic_retain(storage, UInt32(rows * plans.count))
    plans.withUnsafeBufferPointer { plans in
      var instance = start
      for row in 0..<rows {
        var location = PropertyReference.location(row: chunk.offset(ofRow: row), column: 0)
        for plan in plans {
          let reference = instance + plan.offset
          reference.storeBytes(of: storage, as: UnsafeMutableRawPointer.self)
          reference.storeBytes(of: location, toByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
          location += 1
        }
        instance += stride
      }
    }
  }
}
