import MagicPostgreSQL
import MagicRuntime
import Magical

extension ValueDigest {
  /// Creates the digest of a value in its binary form, as other engines store it.
  init(_ value: StreamedRow.Value, type: UInt32) {
    guard case .bytes(let bytes) = value else {
      self = .null
      return
    }
    let stored = PostgreSQLValue(bytes: bytes)
    switch type {
    case 16, 20, 21, 23: self.init(integer: stored.integer)
    case PostgreSQLType.float8.oid: self.init(real: stored.real)
    case PostgreSQLType.uuid.oid where bytes.count == 16:
      self = withUnsafeTemporaryAllocation(byteCount: UUIDText.length, alignment: 1) { text in
        UUIDText.write(bytes, to: text)
        return ValueDigest(text: UnsafeRawBufferPointer(text))
      }
    case PostgreSQLType.text.oid, 1042, 1043:
      guard let text = PostgreSQLText.unescape(bytes) else {
        self.init(text: bytes)
        return
      }
      self = text.withUnsafeBytes { ValueDigest(text: $0) }
    default: self.init(blob: bytes)
    }
  }
}
