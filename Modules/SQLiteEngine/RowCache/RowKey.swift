import Foundation
import MagicEngine
import MagicSchema

/// The type and the primary value of a row that is looked up.
struct RowKey: Equatable {
  /// The ordinal of the type.
  let ordinal: Int
  let kind: Field.Kind
  /// The bits of a number; 0 for others.
  let bits: Int64
  /// The bytes of a text or blob, valid while the parameters are unchanged or while the row exists that
  /// has the key.
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

  private init(_ other: RowKey, _ bytes: UnsafeRawBufferPointer) {
    (ordinal, kind, bits, hash) = (other.ordinal, other.kind, other.bits, other.hash)
    self.bytes = bytes
  }

  /// Copies the bytes to a place in memory, and returns the key with that copy.
  func copy(to memory: UnsafeMutableRawPointer) -> RowKey {
    guard let start = bytes.baseAddress else { return self }
    memory.copyMemory(from: start, byteCount: bytes.count)
    return RowKey(self, UnsafeRawBufferPointer(start: memory, count: bytes.count))
  }

  @inline(__always)
  static func == (left: RowKey, right: RowKey) -> Bool {
    left.ordinal == right.ordinal && left.kind == right.kind && left.bits == right.bits
      && left.bytes.count == right.bytes.count && areEqual(left.bytes, right.bytes)
  }

  /// Whether bytes of the same number are equal. `elementsEqual` compares single bytes, which takes most
  /// of the time of a search for a row in memory.
  private static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }
}
