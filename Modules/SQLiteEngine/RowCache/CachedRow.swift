import MagicEngine
import MagicSchema

/// A copy of one packed row with the value of its primary, in one allocation: the bytes of the row,
/// then those of the key.
final class CachedRow: ManagedBuffer<CachedRow.Header, UInt64> {
  struct Header {
    let ordinal: Int
    let kind: Field.Kind
    let bits: Int64
    let keyCount: Int
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
  var size: Int { header.chunkSize + header.keyCount + MemoryLayout<Header>.size + 32 }

  /// Copies the only row of a chunk, which no object uses yet.
  static func copy(
    _ chunk: RowChunk, for key: RowKey, rowHash: UInt64, commit: UInt64
  ) -> CachedRow {
    let words = (chunk.capacity + key.bytes.count + 7) / 8
    let header = Header(
      ordinal: key.ordinal, kind: key.kind, bits: key.bits, keyCount: key.bytes.count,
      chunkSize: chunk.capacity, rowOffset: chunk.row(0).address - chunk.base, rowHash: rowHash,
      commit: commit)
    let buffer = create(minimumCapacity: words) { _ in header }
    let row = unsafeDowncast(buffer, to: CachedRow.self)
    row.withUnsafeMutablePointerToElements { start in
      let memory = UnsafeMutableRawPointer(start)
      memory.copyMemory(from: chunk.base, byteCount: chunk.capacity)
      if let bytes = key.bytes.baseAddress {
        (memory + chunk.capacity).copyMemory(from: bytes, byteCount: key.bytes.count)
      }
    }
    return row
  }

  @inline(__always)
  func has(_ key: RowKey) -> Bool {
    withUnsafeMutablePointers { header, start in
      let known = header.pointee
      guard known.ordinal == key.ordinal, known.kind == key.kind, known.bits == key.bits,
        known.keyCount == key.bytes.count
      else { return false }
      return UnsafeRawBufferPointer(
        start: UnsafeRawPointer(start) + known.chunkSize, count: known.keyCount
      ).elementsEqual(key.bytes)
    }
  }

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

/// The type and the primary value of a row that is looked up.
struct RowKey {
  /// The ordinal of the type.
  let ordinal: Int
  let kind: Field.Kind
  /// The bits of a number; 0 for others.
  let bits: Int64
  /// The bytes of a text or blob, valid while the parameters are unchanged.
  let bytes: UnsafeRawBufferPointer
  let hash: Int

  /// Returns nil for a value that is too large.
  init?(_ parameters: FieldBuffer, of schema: ObjectSchema) {
    let field = parameters[0]
    switch field.kind {
    case .integer, .real:
      bits = field.integer
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    case .text, .blob:
      bits = 0
      bytes = parameters.bytes(of: field)
    case .null, .largeText, .largeBlob, .file:
      return nil
    }
    ordinal = schema.ordinal
    kind = field.kind
    var hasher = Hasher()
    hasher.combine(ordinal)
    hasher.combine(bits)
    hasher.combine(bytes: bytes)
    hash = hasher.finalize()
  }
}
