import MagicEngine
import MagicSchema

/// A copy of one packed row with the value of its primary, in one allocation: the bytes of the row,
/// then those of the primary value, unless the row contains them.
final class CachedRow: ManagedBuffer<CachedRow.Header, UInt64> {
  /// The fields have no more bits than they need, because there are many rows.
  struct Header {
    /// The ordinal of the type.
    let ordinal: Int32
    /// The kind of the primary value.
    let kind: Field.Kind
    /// Whether the row was found since the last search for rows to evict.
    var isReferenced = false
    /// The bits of the primary value if it is a number; 0 for others.
    let bits: Int64
    /// The offset of the primary value's bytes from the start of the memory, in bytes.
    let keyOffset: UInt32
    /// The number of these bytes. Numbers have none.
    let keyCount: UInt32
    /// The size of the chunk and the offset of the row in it, in bytes.
    let chunkSize: UInt32
    let rowOffset: UInt32
    /// The hash of the table and the row ID.
    let rowHash: UInt64
    /// The number of the commit that the row was read after.
    let commit: UInt64
  }

  /// The maximum size of a chunk with the bytes of the primary value, so that each offset fits.
  static var maximumSize: Int { Int(Int32.max) }

  /// The size of the allocation, about, in bytes.
  var size: Int {
    withUnsafeMutablePointerToHeader { header in
      let keyEnd = Int(header.pointee.keyOffset) + Int(header.pointee.keyCount)
      return max(Int(header.pointee.chunkSize), keyEnd) + MemoryLayout<Header>.size + 32
    }
  }

  /// Copies the only row of a chunk, which no object uses yet. The chunk and the key have at most
  /// ``maximumSize`` bytes together.
  ///
  /// - Parameter schema: the type of the key and the row.
  static func copy(
    _ chunk: RowChunk, for key: RowKey, of schema: ObjectSchema, rowHash: UInt64, commit: UInt64
  ) -> CachedRow {
    let row = chunk.row(0)
    let offsetInRow = key.offset(in: row, of: schema)
    let keyOffset = offsetInRow.map { row.address - chunk.base + $0 } ?? chunk.capacity
    let addedCount = offsetInRow == nil ? key.bytes.count : 0
    let buffer = create(minimumCapacity: (chunk.capacity + addedCount + 7) / 8) { buffer in
      buffer.withUnsafeMutablePointerToElements { start in
        let memory = UnsafeMutableRawPointer(start)
        memory.copyMemory(from: chunk.base, byteCount: chunk.capacity)
        if addedCount > 0, let bytes = key.bytes.baseAddress {
          (memory + chunk.capacity).copyMemory(from: bytes, byteCount: addedCount)
        }
        return Header(
          ordinal: Int32(truncatingIfNeeded: key.ordinal), kind: key.kind, bits: key.bits,
          keyOffset: UInt32(truncatingIfNeeded: keyOffset),
          keyCount: UInt32(truncatingIfNeeded: key.bytes.count),
          chunkSize: UInt32(truncatingIfNeeded: chunk.capacity),
          rowOffset: UInt32(truncatingIfNeeded: row.address - chunk.base),
          rowHash: rowHash, commit: commit)
      }
    }
    return unsafeDowncast(buffer, to: CachedRow.self)
  }

  @inline(__always)
  func has(_ key: RowKey) -> Bool {
    withUnsafeMutablePointers { header, start in
      let header = header.pointee
      return header.ordinal == Int32(truncatingIfNeeded: key.ordinal) && header.kind == key.kind
        && header.bits == key.bits
        && key.hasBytes(
          UnsafeRawBufferPointer(
            start: UnsafeRawPointer(start) + Int(header.keyOffset), count: Int(header.keyCount)))
    }
  }

  /// Creates a chunk with the row. No lock is needed, because the row and the fields of the header that
  /// are read here do not change.
  func makeChunk(of schema: ObjectSchema, _ store: StoreToken) -> RowChunk {
    withUnsafeMutablePointers { header, start in
      let size = Int(header.pointee.chunkSize)
      let chunk = RowChunk(capacity: size, schema: schema, store: store)
      chunk.base.copyMemory(from: UnsafeRawPointer(start), byteCount: size)
      let row = chunk.base + Int(header.pointee.rowOffset)
      row.storeBytes(of: 0, toByteOffset: RowLayout.recordOffset, as: UInt.self)
      row.storeBytes(
        of: Unmanaged.passUnretained(chunk).toOpaque(), toByteOffset: RowLayout.chunkOffset,
        as: UnsafeMutableRawPointer.self)
      chunk.append(PackedRow(address: row))
      return chunk
    }
  }
}
