import MagicSchema
import Magical

/// A value of one column, as a row is packed from it.
enum PackedCell {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// Packs rows as a fetch does, by hand.
struct ChunkBuilder {
  let schema: ObjectSchema
  let chunk: RowChunk
  private var end = 0

  init(_ schema: ObjectSchema, capacity: Int = 32 * 1024, store: UInt64 = 1) {
    self.schema = schema
    chunk = RowChunk(
      capacity: capacity, schema: schema, store: StoreToken(rawValue: store))
  }

  mutating func append(zIndex: Int64, _ cells: [PackedCell]) throws {
    let layout = schema.layout
    let place = PackedRow(address: chunk.base + (end + layout.headerSize))
    let row = place.address
    var size = layout.bytesOffset
    (chunk.base + end).initializeMemory(
      as: UInt8.self, repeating: 0, count: layout.headerSize + size)
    row.storeBytes(
      of: Unmanaged.passUnretained(chunk).toOpaque(), toByteOffset: RowLayout.chunkOffset,
      as: UnsafeMutableRawPointer.self)
    row.storeBytes(of: zIndex, toByteOffset: RowLayout.zIndexOffset, as: Int64.self)
    for (column, cell) in cells.enumerated() {
      let slot = place.slot(column)
      switch cell {
      case .null:
        let word = row + (RowLayout.nullsOffset - column / 64 * 8)
        let bits = word.load(as: UInt64.self) | 1 << UInt64(column % 64)
        word.storeBytes(of: bits, as: UInt64.self)
      case .text(let text) where schema.plans[column].packing == .bytes:
        let bytes = Array(text.utf8)
        (row + size).copyMemory(from: bytes, byteCount: bytes.count)
        slot.storeBytes(
          of: _MagicalPackedValue.Place(offset: UInt32(size), count: UInt32(bytes.count)),
          as: _MagicalPackedValue.Place.self)
        size += bytes.count
      case .integer, .real, .text:
        try schema.columns[column].pack(from: CellReader(cell: cell), into: slot)
      }
    }
    chunk.append(place)
    end += (layout.headerSize + size + 7) & ~7
  }
}

private struct CellReader: MagicalReader {
  let cell: PackedCell

  var storageClass: MagicalStorageClass? {
    switch cell {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    }
  }

  var integer: Int64 { if case .integer(let value) = cell { value } else { 0 } }
  var real: Double { if case .real(let value) = cell { value } else { 0 } }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
