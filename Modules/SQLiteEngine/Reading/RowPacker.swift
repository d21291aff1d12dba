import Foundation
import MagicEngine
package import MagicSQLite
package import MagicSchema
import Magical
import SQLiteTables

/// Packs the rows of a statement into chunks, checking every value as it goes: storage class,
/// range, UTF-8, JSON. What is packed can be read later without an error.
package struct RowPacker {
  private let schema: ObjectSchema
  private let store: StoreToken
  /// For types that ask the store again.
  private let storeKeeper: StoreKeeper?
  private(set) var chunks: [RowChunk] = []
  /// The last of them.
  private var last: Unmanaged<RowChunk>?
  private let graph: RowGraph?
  private let digest: ResultDigest?
  private var nextCapacity: Int
  /// Where the next row's header goes in the last chunk.
  private var end = 0

  /// - Parameters:
  ///   - graph: what the rows' chunks become a part of, where their type can lead back to itself.
  ///   - isSingle: whether one row is expected, which then gets no byte more than it needs.
  package init(
    schema: ObjectSchema, store: StoreConnection, graph: RowGraph? = nil, isSingle: Bool = false
  ) {
    self.schema = schema
    self.store = store.token
    storeKeeper = schema.hasLazies ? store.makeLease() : nil
    self.graph = graph
    digest = store.digest
    nextCapacity = isSingle ? 0 : 2 * 1024
  }

  /// Packs the row that the statement is at: column 0 is the z-index, the type's columns follow.
  ///
  /// - Throws: `MagicError` with `.cannotDecode`.
  @discardableResult
  package mutating func append(_ statement: SQLiteStatement) throws -> PackedRow {
    digest?.add(statement, 0..<(schema.columns.count + 1))
    if let last, let row = try last._withUnsafeGuaranteedRef({ try append(statement, to: $0) }) {
      return row
    }
    return try appendToNew(statement)
  }

  private mutating func appendToNew(_ statement: SQLiteStatement) throws -> PackedRow {
    // Small chunks are filled without a look at the row's size: most rows fit.
    if 1...RowChunk.capacityLimit / 4 ~= nextCapacity,
      let row = try append(statement, toNewOf: nextCapacity)
    {
      return row
    }
    // A row that is large for a chunk gets one of its own, so that no small row keeps it alive.
    let needed = size(of: statement)
    let capacity =
      needed > RowChunk.capacityLimit / 4 ? needed : max(needed, nextCapacity)
    guard let row = try append(statement, toNewOf: capacity) else {
      throw MagicError(.outOfMemory, "A row grew while it was read.", type: schema.typeName)
    }
    return row
  }

  private mutating func append(
    _ statement: SQLiteStatement, toNewOf capacity: Int
  ) throws -> PackedRow? {
    let chunk = RowChunk(capacity: capacity, schema: schema, store: store)
    end = 0
    guard let row = try append(statement, to: chunk) else { return nil }
    nextCapacity = min(nextCapacity * 4, RowChunk.capacityLimit)
    chunk.storeKeeper = storeKeeper
    if let graph { chunk.join(graph) }
    chunks.append(chunk)
    last = .passUnretained(chunk)
    return row
  }

  /// - Returns: nil where the chunk is too full.
  private mutating func append(
    _ statement: SQLiteStatement, to chunk: RowChunk
  ) throws -> PackedRow? {
    let row = PackedRow(address: chunk.base + (end + schema.layout.headerSize))
    guard let newEnd = try pack(statement, at: row, in: chunk) else { return nil }
    chunk.append(row)
    end = newEnd
    return row
  }

  /// Hands out what was packed and begins anew.
  package mutating func takeChunks() -> [RowChunk] {
    defer {
      nextCapacity = 2 * 1024
      chunks.removeAll()
      last = nil
      end = 0
    }
    return chunks
  }

  /// The bytes a chunk needs for this row alone.
  private func size(of statement: SQLiteStatement) -> Int {
    var size = schema.layout.headerSize + schema.layout.bytesOffset
    for (index, column) in schema.columns.enumerated()
    where column.packing == .bytes || column.isFile {
      let value = statement.column(index + 1)
      switch value.type {
      case .text: size += column.codec == .uuid ? 16 : value.textBytes.count
      case .blob: size += value.blobBytes.count
      case .integer, .real, .null: break
      }
    }
    return (size + 7) & ~7 + 8
  }

  /// Packs a row; nil where the chunk is too full for it.
  ///
  /// - Returns: where the next row's header goes.
  private func pack(
    _ statement: SQLiteStatement, at place: PackedRow, in chunk: RowChunk
  ) throws -> Int? {
    let layout = schema.layout
    let row = place.address
    let offset = row - chunk.base
    // The row and its entry in the directory.
    let limit = chunk.capacity - (chunk.rowCount + 1) * 4
    var cursor = layout.bytesOffset
    guard offset + cursor <= limit else { return nil }

    row.storeBytes(of: 0, toByteOffset: RowLayout.recordOffset, as: UInt.self)
    row.storeBytes(
      of: Unmanaged.passUnretained(chunk).toOpaque(), toByteOffset: RowLayout.chunkOffset,
      as: UnsafeMutableRawPointer.self)
    row.storeBytes(
      of: statement.column(0).integer, toByteOffset: RowLayout.zIndexOffset, as: Int64.self)
    var nulls = RowLayout.nullsOffset
    while nulls >= -layout.headerSize {
      row.storeBytes(of: 0, toByteOffset: nulls, as: UInt64.self)
      nulls -= 8
    }

    var slot = row
    let plans = schema.plans
    for index in plans.indices {
      let plan = plans[index]
      let value = statement.column(index + 1)
      let type = value.type
      if type == .null {
        guard plan.isNullable else {
          let column = schema.columns[index]
          discard(row, before: index)
          throw failure(.wrongStorageClass(expected: column.storageClass, found: nil), column, row)
        }
        let word = RowLayout.nullsOffset - index / 64 * 8
        row.storeBytes(
          of: row.load(fromByteOffset: word, as: UInt64.self) | 1 << UInt64(index & 63),
          toByteOffset: word, as: UInt64.self)
        slot += 8
        continue
      }

      var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      var isRight = true
      switch plan.codec {
      case .int, .int64, .link:
        isRight = type == .integer
        slot.storeBytes(of: value.integer, as: Int64.self)
      case .double, .date:
        if type == .real {
          slot.storeBytes(of: value.real, as: Double.self)
        } else {
          isRight = type == .integer && store(Double(exactly: value.integer), in: slot)
        }
      case .string, .file:
        isRight = type == .text
        if isRight {
          bytes = value.textBytes
          // Even an empty text has an address, unless there was no memory for it.
          guard bytes.baseAddress != nil else {
            discard(row, before: index)
            throw MagicError(.outOfMemory, "There is no memory for a text.", type: schema.typeName)
          }
          isRight = UTF8Validation.isValid(bytes)
        }
      case .data, .bytes:
        isRight = type == .blob
        if isRight { bytes = value.blobBytes }
      case .bool:
        let integer = value.integer
        isRight = type == .integer && (integer == 0 || integer == 1)
        slot.storeBytes(of: integer == 1, as: Bool.self)
      case .int8: isRight = store(type, Int8(exactly: value.integer), in: slot)
      case .int16: isRight = store(type, Int16(exactly: value.integer), in: slot)
      case .int32: isRight = store(type, Int32(exactly: value.integer), in: slot)
      case .uint: isRight = store(type, UInt(exactly: value.integer), in: slot)
      case .uint8: isRight = store(type, UInt8(exactly: value.integer), in: slot)
      case .uint16: isRight = store(type, UInt16(exactly: value.integer), in: slot)
      case .uint32: isRight = store(type, UInt32(exactly: value.integer), in: slot)
      case .uint64: isRight = store(type, UInt64(exactly: value.integer), in: slot)
      case .uuid:
        guard type == .text, let uuid = UUID(text: value.textBytes) else {
          isRight = false
          break
        }
        guard offset + cursor + 16 <= limit else {
          discard(row, before: index)
          return nil
        }
        (row + cursor).storeBytes(of: uuid.uuid, as: uuid_t.self)
        slot.storeBytes(
          of: .init(offset: UInt32(truncatingIfNeeded: cursor), count: 16),
          as: PackedValue.Place.self)
        cursor += 16
        slot += 8
        continue
      case .float, .converted:
        let column = schema.columns[index]
        do {
          try column.pack(from: ColumnReader(column: value), into: slot)
        } catch {
          discard(row, before: index)
          throw conversionFailure(error, column, row)
        }
      }

      guard isRight else {
        let column = schema.columns[index]
        discard(row, before: index)
        throw failure(reason(value, column), column, row)
      }
      if plan.packing == .bytes || plan.codec == .file {
        guard offset + cursor + bytes.count <= limit else {
          discard(row, before: index)
          return nil
        }
        if let start = bytes.baseAddress {
          (row + cursor).copyMemory(from: start, byteCount: bytes.count)
        }
        slot.storeBytes(
          of: .init(
            offset: UInt32(truncatingIfNeeded: cursor),
            count: UInt32(truncatingIfNeeded: bytes.count)),
          as: PackedValue.Place.self)
        cursor += bytes.count
      }
      slot += 8
    }
    // The cells of collections come with their links.
    while slot < row + layout.bytesOffset {
      slot.storeBytes(of: 0, as: UInt.self)
      slot += 8
    }
    return min((offset + cursor + 7) & ~7, limit)
  }

  @inline(__always)
  private func store<Value: BitwiseCopyable>(
    _ type: SQLiteColumnType, _ value: Value?, in slot: UnsafeMutableRawPointer
  ) -> Bool {
    type == .integer && store(value, in: slot)
  }

  @inline(__always)
  private func store<Value: BitwiseCopyable>(
    _ value: Value?, in slot: UnsafeMutableRawPointer
  ) -> Bool {
    guard let value else { return false }
    slot.storeBytes(of: value, as: Value.self)
    return true
  }

  /// Ends the cells of a row that is not finished.
  private func discard(_ row: UnsafeMutableRawPointer, before end: Int) {
    let place = PackedRow(address: row)
    for slot in schema.layout.objectSlots where slot < end && !place.isNull(slot) {
      schema.columns[slot].discard(place.slot(slot))
    }
  }

  private func reason(_ value: SQLiteColumn, _ column: ColumnSchema) -> MagicalError {
    let expected = column.storageClass
    let found = value.storageClass
    if found != expected { return .wrongStorageClass(expected: expected, found: found) }
    switch expected {
    case .integer: return .outOfRange(column.valueType)
    case .text where column.codec == .uuid: return .cannotDecode("the text is not a UUID")
    case .text: return .invalidUTF8
    case .real, .blob: return .cannotDecode("the value is no \(column.valueType)")
    }
  }

  private func conversionFailure(
    _ error: any Error, _ column: ColumnSchema, _ row: UnsafeMutableRawPointer
  ) -> any Error {
    (error as? MagicalError).map { failure($0, column, row) }
      ?? failure(.cannotDecode("\(type(of: error))"), column, row)
  }

  private func failure(
    _ error: MagicalError, _ column: ColumnSchema, _ row: UnsafeMutableRawPointer
  ) -> MagicError {
    MagicError(
      error, schema: schema, column: column,
      row: row.load(fromByteOffset: RowLayout.zIndexOffset, as: Int64.self))
  }
}
