package import MagicEngine
package import MagicPostgreSQL
import MagicSchema
import Magical
import PostgreSQLTables

/// A value of a result in the form in which every engine stores it. The memory of texts does not end
/// before it.
package struct ResultColumn: PackableColumn {
  private let stored: PostgreSQLValue
  private let type: PostgreSQLType
  private unowned(unsafe) let texts: TextMemory

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
