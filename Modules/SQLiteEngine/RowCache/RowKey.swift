import Foundation
import MagicEngine
import MagicSchema
import Magical

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

  /// Returns the offset of the key's bytes from the row's address, in bytes; nil if the row does not contain
  /// them, for example because a UUID is packed as 16 bytes.
  func offset(in row: PackedRow, of schema: ObjectSchema) -> Int? {
    guard let column = schema.primary, schema.plans[column].packing == .bytes else { return nil }
    let bytes = _MagicalPackedValue(slot: row.slot(column), row: row.address).bytes
    guard hasBytes(bytes), let start = bytes.baseAddress else { return nil }
    return start - UnsafeRawPointer(row.address)
  }

  /// Whether the key is a text or blob with these bytes, or both have no bytes. `elementsEqual` compares
  /// single bytes, which takes most of the time of a search for a row in memory.
  @inline(__always)
  func hasBytes(_ other: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == other.count else { return false }
    guard let first = bytes.baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, bytes.count) == 0
  }
}
