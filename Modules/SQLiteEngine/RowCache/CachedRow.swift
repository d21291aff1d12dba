import MagicEngine
import MagicSchema

/// A copy of one packed row with the value of its primary, in one allocation: the bytes of the row,
/// then those of the key.
final class CachedRow: ManagedBuffer<CachedRow.Header, UInt64> {
  struct Header {
    /// The key, with the copy of its bytes.
    let key: RowKey
    /// The size of the chunk and the offset of the row in it, in bytes.
    let chunkSize: Int
    let rowOffset: Int
    /// The hash of the table and the row ID.
    let rowHash: UInt64
    /// The number of the commit that the row was read after.
    let commit: UInt64
    /// Whether the row was found since the last search for rows to evict.
    var isReferenced = false
  }

  /// The size of the allocation, about, in bytes.
  var size: Int { header.chunkSize + header.key.bytes.count + MemoryLayout<Header>.size + 32 }

  /// Copies the only row of a chunk, which no object uses yet.
  static func copy(
    _ chunk: RowChunk, for key: RowKey, rowHash: UInt64, commit: UInt64
  ) -> CachedRow {
    let words = (chunk.capacity + key.bytes.count + 7) / 8
    let buffer = create(minimumCapacity: words) { buffer in
      buffer.withUnsafeMutablePointerToElements { start in
        let memory = UnsafeMutableRawPointer(start)
        memory.copyMemory(from: chunk.base, byteCount: chunk.capacity)
        return Header(
          key: key.copy(to: memory + chunk.capacity), chunkSize: chunk.capacity,
          rowOffset: chunk.row(0).address - chunk.base, rowHash: rowHash, commit: commit)
      }
    }
    return unsafeDowncast(buffer, to: CachedRow.self)
  }

  @inline(__always)
  func has(_ key: RowKey) -> Bool { withUnsafeMutablePointerToHeader { $0.pointee.key == key } }

  /// Creates a chunk with the row. No lock is needed, because the row and the fields of the header that
  /// are read here do not change.
  func makeChunk(of schema: ObjectSchema, _ store: StoreToken) -> RowChunk {
    withUnsafeMutablePointers { header, start in
      let size = header.pointee.chunkSize
      let chunk = RowChunk(capacity: size, schema: schema, store: store)
      chunk.base.copyMemory(from: UnsafeRawPointer(start), byteCount: size)
      let row = chunk.base + header.pointee.rowOffset
      row.storeBytes(of: 0, toByteOffset: RowLayout.recordOffset, as: UInt.self)
      row.storeBytes(
        of: Unmanaged.passUnretained(chunk).toOpaque(), toByteOffset: RowLayout.chunkOffset,
        as: UnsafeMutableRawPointer.self)
      chunk.append(PackedRow(address: row))
      return chunk
    }
  }
}
