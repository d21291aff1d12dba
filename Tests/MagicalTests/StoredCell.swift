import Magical

/// One column of a row, in memory. A value is written to it and read from it.
enum StoredCell: Equatable {
  case null
  case integer(Int64)
  /// The bits, so that −0.0 differs from 0.
  case realBits(UInt64)
  case text([UInt8])
  case blob([UInt8])

  static func real(_ value: Double) -> StoredCell { .realBits(value.bitPattern) }
  static func text(_ value: String) -> StoredCell { .text([UInt8](value.utf8)) }
  static func json(_ value: String) -> StoredCell { .blob([UInt8](value.utf8)) }

  /// The column that a value is written to.
  init(storing value: some Magical) throws {
    var writer = CellWriter()
    try value.write(to: &writer)
    self = writer.cell
  }

  /// The value that is read from the column.
  func load<Value: Magical>(_ type: Value.Type) throws -> Value {
    let bytes: [UInt8] =
      switch self {
      case .text(let bytes), .blob(let bytes): bytes
      case .null, .integer, .realBits: []
      }
    return try bytes.withUnsafeBytes { try Value.read(from: CellReader(cell: self, bytes: $0)) }
  }
}

struct CellWriter: MagicalWriter {
  private(set) var cell = StoredCell.null

  mutating func write(integer: Int64) { cell = .integer(integer) }
  mutating func write(real: Double) { cell = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) { cell = .text([UInt8](text)) }
  mutating func write(blob: UnsafeRawBufferPointer) { cell = .blob([UInt8](blob)) }
}

struct CellReader: MagicalReader {
  let cell: StoredCell
  let bytes: UnsafeRawBufferPointer

  var storageClass: MagicalStorageClass? {
    switch cell {
    case .null: nil
    case .integer: .integer
    case .realBits: .real
    case .text: .text
    case .blob: .blob
    }
  }

  var integer: Int64 {
    if case .integer(let value) = cell { value } else { 0 }
  }

  var real: Double {
    switch cell {
    case .realBits(let bits): Double(bitPattern: bits)
    case .integer(let value): Double(value)
    case .null, .text, .blob: 0
    }
  }
}

/// The value after it was written to a column and read back.
func roundTrip<Value: Magical>(_ value: Value) throws -> Value {
  try StoredCell(storing: value).load(Value.self)
}
