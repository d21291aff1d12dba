public import MagicSchema
public import Magical

/// Packs the rows that an engine reads into chunks, and validates every value: storage class,
/// range, UTF-8, JSON. Later reads of packed values cannot fail.
///
/// The code that runs for each row is generic over the engine's row type, and is specialized in the
/// engine's module.
@usableFromInline
package struct RowPacker {
  let schema: ObjectSchema
  /// The packing plans of the columns.
  @usableFromInline let plans: [ColumnPlan]
  /// The cases of the columns that contain enumerations.
  @usableFromInline let cases: [EnumerationCases?]
  /// The size of the header that precedes a row's slots, in bytes.
  @usableFromInline let headerSize: Int
  /// The offset of the bytes of texts and blobs from the row's address.
  @usableFromInline let bytesOffset: Int
  private let store: StoreToken
  /// The lease for types with lazy values.
  private let storeLease: StoreLease?
  package private(set) var chunks: [RowChunk] = []
  /// The last chunk.
  @usableFromInline var last: Unmanaged<RowChunk>?
  private let graph: RowGraph?
  @usableFromInline let digest: ResultDigest?
  @usableFromInline var nextCapacity: Int
  /// The offset of the next row's header in the last chunk.
  @usableFromInline var end = 0

  /// The maximum size of a row that shares a chunk. A larger row gets its own chunk.
  @usableFromInline static var largestShared: Int { RowChunk.capacityLimit / 4 }

  /// - Parameters:
  ///   - lease: the lease that keeps the database open for lazy values, or nil for types without
  ///     lazy values.
  ///   - graph: the graph that the chunks join if their type is in a cycle of relationships.
  ///   - digest: receives the values of the rows, or nil.
  ///   - isSingle: whether one row is expected. The chunk then has exactly the size of the row.
  package init(
    schema: ObjectSchema, store: StoreToken, lease: StoreLease?, graph: RowGraph? = nil,
    digest: ResultDigest? = nil, isSingle: Bool = false
  ) {
    self.schema = schema
    plans = schema.plans
    cases = schema.cases
    headerSize = schema.layout.headerSize
    bytesOffset = schema.layout.bytesOffset
    self.store = store
    storeLease = lease
    self.graph = graph
    self.digest = digest
    nextCapacity = isSingle ? 0 : 2 * 1024
  }

  /// Packs a row.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`.
  @inlinable
  @discardableResult
  package mutating func append<Row: PackableRow>(
    _ values: Row, rowID: Int64
  ) throws -> PackedRow {
    digest?.add(values, rowID: rowID, columnCount: plans.count)
    if let last,
      let row = try last._withUnsafeGuaranteedRef({ try append(values, rowID, to: $0) })
    {
      return row
    }
    return try appendToNew(values, rowID)
  }

  @inlinable
  mutating func appendToNew<Row: PackableRow>(
    _ values: Row, _ rowID: Int64
  ) throws -> PackedRow {
    // Small chunks are filled without computing the row's size first, because most rows fit.
    if 1...Self.largestShared ~= nextCapacity,
      let row = try append(values, rowID, to: newChunk(capacity: nextCapacity))
    {
      return row
    }
    // A row that is too large to share a chunk gets its own chunk, so that small rows do not keep
    // its memory alive.
    let needed = size(of: values)
    guard needed < _MagicalPackedValue.Place.limit else {
      throw error(.tooBig, "A row of 1 GiB or more cannot be fetched.")
    }
    let capacity =
      needed > Self.largestShared ? needed : max(needed, nextCapacity)
    guard let row = try append(values, rowID, to: newChunk(capacity: capacity)) else {
      throw error(.outOfMemory, "A row grew while it was read.")
    }
    return row
  }

  /// Creates the next chunk. It is added to ``chunks`` with its first row.
  @usableFromInline
  mutating func newChunk(capacity: Int) -> RowChunk {
    end = 0
    last = nil
    return RowChunk(capacity: capacity, schema: schema, store: store)
  }

  /// Adds a chunk that has received its first row.
  @usableFromInline
  mutating func add(_ chunk: RowChunk) {
    nextCapacity = min(nextCapacity * 4, RowChunk.capacityLimit)
    chunk.storeLease = storeLease
    if let graph { chunk.join(graph) }
    chunks.append(chunk)
    last = .passUnretained(chunk)
  }

  /// - Returns: the row, or nil if the chunk is full.
  @inlinable
  mutating func append<Row: PackableRow>(
    _ values: Row, _ rowID: Int64, to chunk: RowChunk
  ) throws -> PackedRow? {
    let row = PackedRow(address: chunk.base + (end + headerSize))
    guard let newEnd = try pack(values, rowID, at: row, in: chunk) else { return nil }
    chunk.append(row)
    if end == 0 { add(chunk) }
    end = newEnd
    return row
  }

  /// Returns the packed chunks, and resets the packer.
  package mutating func takeChunks() -> [RowChunk] {
    defer {
      nextCapacity = 2 * 1024
      chunks.removeAll()
      last = nil
      end = 0
    }
    return chunks
  }

  /// The size of a chunk for this row alone, in bytes.
  @inlinable
  func size<Row: PackableRow>(of values: Row) -> Int {
    var size = headerSize + bytesOffset
    for index in plans.indices where plans[index].packing == .bytes || plans[index].codec == .file {
      let value = values.value(index)
      switch value.kind {
      case .text: size += Self.parsedSize(plans[index].codec) ?? value.textBytes.count
      case .blob: size += value.blobBytes.count
      case .integer, .real, .null: break
      }
    }
    return (size + 7) & ~7 + 8
  }

  /// Packs a row.
  ///
  /// - Returns: the offset of the next row's header, or nil if the chunk is full.
  @inlinable
  func pack<Row: PackableRow>(
    _ values: Row, _ rowID: Int64, at place: PackedRow, in chunk: RowChunk
  ) throws -> Int? {
    let row = place.address
    let offset = row - chunk.base
    // The space for the row and its entry in the chunk's directory.
    let limit = chunk.capacity &- (chunk.rowCount &+ 1) &* 4
    var cursor = bytesOffset
    guard offset + cursor <= limit else { return nil }

    row.storeBytes(of: 0, toByteOffset: RowLayout.recordOffset, as: UInt.self)
    row.storeBytes(
      of: Unmanaged.passUnretained(chunk).toOpaque(), toByteOffset: RowLayout.chunkOffset,
      as: UnsafeMutableRawPointer.self)
    row.storeBytes(of: rowID, toByteOffset: RowLayout.zIndexOffset, as: Int64.self)
    var nulls = RowLayout.nullsOffset
    while nulls >= -headerSize {
      row.storeBytes(of: 0, toByteOffset: nulls, as: UInt64.self)
      nulls -= 8
    }

    var slot = row
    for index in plans.indices {
      let value = values.value(index)
      let kind = value.kind
      if kind == .null {
        guard plans[index].isNullable else { throw failure(nil, index, row) }
        let word = RowLayout.nullsOffset &- (index &>> 6) &* 8
        row.storeBytes(
          of: row.load(fromByteOffset: word, as: UInt64.self) | 1 &<< UInt64(index & 63),
          toByteOffset: word, as: UInt64.self)
        slot += 8
        continue
      }

      let plan = plans[index]
      var (bytes, isValid, isASCII) = (UnsafeRawBufferPointer(start: nil, count: 0), true, false)
      switch plan.codec {
      case .int, .int64, .link:
        isValid = kind == .integer
        slot.storeBytes(of: value.integer, as: Int64.self)
      case .double, .date:
        if kind == .real {
          slot.storeBytes(of: value.real, as: Double.self)
        } else {
          isValid = kind == .integer && store(Double(exactly: value.integer), in: slot)
        }
      case .string, .file:
        isValid = kind == .text
        if isValid {
          bytes = value.textBytes
          // Even an empty text has an address, except after a failed memory allocation.
          guard bytes.baseAddress != nil else {
            discard(row, before: index)
            throw error(.outOfMemory, "There is not enough memory for a text value.")
          }
          isASCII = UTF8Validation.isASCII(bytes)
          isValid = isASCII || UTF8Validation.isValidByDecoding(bytes)
        }
      case .data, .bytes, .uuidBytes, .vector:
        isValid = kind == .blob
        if isValid { (bytes, isValid) = sized(value.blobBytes, plan.codec) }
      case .uuid, .decimal:
        // Before the space, which is not reserved for a value of another storage class.
        isValid = kind == .text
        guard isValid, let size = Self.parsedSize(plan.codec) else { break }
        guard offset + cursor + size <= limit else {
          discard(row, before: index)
          return nil
        }
        isValid = parse(value.textBytes, plan.codec, to: row + cursor)
        guard isValid else { break }
        storePlace(cursor, size, in: slot)
        cursor += size
        slot += 8
        continue
      case .bool, .int8, .int16, .int32, .uint, .uint8, .uint16, .uint32, .uint64:
        isValid = kind == .integer && store(value.integer, plan.codec, in: slot)
      case .float, .converted:
        try packConverted(value, index, into: slot, row)
      }

      guard isValid else { throw failure(value.storageClass, index, row) }
      if plan.packing == .bytes || plan.codec == .file {
        guard offset + cursor + bytes.count <= limit else {
          discard(row, before: index)
          return nil
        }
        if let start = bytes.baseAddress {
          (row + cursor).copyMemory(from: start, byteCount: bytes.count)
        }
        storePlace(cursor, bytes.count, isASCII: isASCII, in: slot)
        cursor += bytes.count
      }
      slot += 8
    }
    // The slots of collections are set after their members are read.
    while slot < row + bytesOffset {
      slot.storeBytes(of: 0, as: UInt.self)
      slot += 8
    }
    return min((offset + cursor + 7) & ~7, limit)
  }

  /// Releases the objects in the slots of an unfinished row.
  @usableFromInline
  func discard(_ row: UnsafeMutableRawPointer, before end: Int) {
    let place = PackedRow(address: row)
    for slot in schema.layout.objectSlots where slot < end && !place.isNull(slot) {
      schema.columns[slot].discard(place.slot(slot))
    }
  }

  /// Packs a value of a type that decodes its own stored form.
  @usableFromInline
  func convert(
    _ value: borrowing some MagicalReader, _ index: Int, into slot: UnsafeMutableRawPointer,
    _ row: UnsafeMutableRawPointer
  ) throws {
    let column = schema.columns[index]
    do {
      try column.pack(from: value, into: slot)
    } catch {
      discard(row, before: index)
      throw failure(
        error as? MagicalError ?? .cannotDecode("\(type(of: error))"), column, row)
    }
  }
}
