package import MagicEngine
package import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLTables

/// A row of a type in a result. The first columns are the row ID and the type's columns.
struct ResultRow: PackableRow {
  let result: PostgreSQLResult
  let types: [PostgreSQLType]
  let row: Int
  /// The index of the column of the row ID.
  let first: Int
  let texts: TextMemory

  var rowID: Int64 { result.integer(row, first) }

  func value(_ index: Int) -> ResultColumn {
    ResultColumn(result.value(row, first + 1 + index), types[index], texts)
  }
}

/// The memory of texts whose stored form differs from their bytes: UUIDs, and texts with the
/// characters U+0000 to U+0003. Emptied for each row.
package final class TextMemory {
  @exclusivity(unchecked) private var parts: [UnsafeMutableRawBufferPointer] = []

  package init() {}

  func make(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let part = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, count), alignment: 1)
    parts.append(part)
    return UnsafeMutableRawBufferPointer(rebasing: part[..<count])
  }

  package func removeAll() {
    guard !parts.isEmpty else { return }
    for part in parts { part.deallocate() }
    parts.removeAll(keepingCapacity: true)
  }

  deinit { removeAll() }
}

/// A value of a result in the form in which every engine stores it.
package struct ResultColumn: PackableColumn {
  private let stored: PostgreSQLValue
  private let type: PostgreSQLType
  private let texts: TextMemory

  package init(_ value: PostgreSQLValue, _ type: PostgreSQLType, _ texts: TextMemory) {
    stored = value
    self.type = type
    self.texts = texts
  }

  package var kind: StoredKind {
    guard !stored.isNull else { return .null }
    switch type {
    case .bigint, .boolean: return .integer
    case .float8: return .real
    case .bytea: return .blob
    default: return .text
    }
  }

  package var integer: Int64 {
    guard type == .float8 else { return stored.integer }
    return Int64(exactly: stored.real.rounded(.towardZero)) ?? 0
  }

  package var real: Double { type == .float8 ? stored.real : Double(stored.integer) }

  /// A text has an address even if it is empty.
  package var textBytes: UnsafeRawBufferPointer {
    guard let bytes = stored.bytes else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    if type == .uuid, bytes.count == 16 {
      let text = texts.make(UUIDText.length)
      UUIDText.write(bytes, to: text)
      return UnsafeRawBufferPointer(text)
    }
    guard let text = PostgreSQLText.unescape(bytes) else { return bytes }
    let copy = texts.make(text.count)
    copy.copyBytes(from: text)
    return UnsafeRawBufferPointer(copy)
  }

  package var blobBytes: UnsafeRawBufferPointer {
    stored.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}
