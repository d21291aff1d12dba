import MagicEngine
import Magical

/// A row of a type: its row ID, and the values of its columns.
struct StoredRow: Sendable {
  let rowID: Int64
  var values: [StoredValue]
}

extension StoredRow: PackableRow {
  func value(_ index: Int) -> StoredValue { values[index] }
}

extension StoredValue: PackableColumn {
  var kind: StoredKind {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  var integer: Int64 {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real.rounded(.towardZero)) ?? 0
    case .null, .text, .blob: 0
    }
  }

  var real: Double {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .blob: 0
    }
  }

  var textBytes: UnsafeRawBufferPointer { bytesOrNone }
  var blobBytes: UnsafeRawBufferPointer { bytesOrNone }

  private var bytesOrNone: UnsafeRawBufferPointer {
    stored?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
