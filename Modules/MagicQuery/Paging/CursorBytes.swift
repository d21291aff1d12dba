import Magical

/// The bytes of a cursor: the version, whether the place is after the object, the digest of the order,
/// and the values. A value is its kind, and 8 bytes of a number or of the length of the following
/// bytes. Numbers begin with the lowest byte.
enum CursorWriter {
  static let version: UInt8 = 1

  static func bytes(of cursor: MagicCursor) -> [UInt8] {
    var bytes = [version, cursor.isAfter ? 1 : 0]
    append(cursor.order, to: &bytes)
    for value in cursor.values {
      switch value {
      case .null: bytes.append(0)
      case .integer(let integer):
        bytes.append(1)
        append(UInt64(bitPattern: integer), to: &bytes)
      case .real(let bits):
        bytes.append(2)
        append(bits, to: &bytes)
      case .text(let text): append(3, Array(text.utf8), to: &bytes)
      case .blob(let blob): append(4, blob, to: &bytes)
      }
    }
    return bytes
  }

  private static func append(_ kind: UInt8, _ content: [UInt8], to bytes: inout [UInt8]) {
    bytes.append(kind)
    append(UInt64(content.count), to: &bytes)
    bytes += content
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}

/// Reads the bytes of a cursor, which may be those of an attacker.
struct CursorReader {
  private var rest: ArraySlice<UInt8>

  /// Returns the cursor with these bytes; nil if they are not those of a cursor.
  static func cursor(in bytes: [UInt8]) -> MagicCursor? {
    var reader = CursorReader(rest: bytes[...])
    guard reader.byte() == CursorWriter.version, let flag = reader.byte(), flag <= 1,
      let order = reader.number()
    else { return nil }
    var values: [MagicCursor.Value] = []
    while !reader.rest.isEmpty {
      guard let value = reader.value() else { return nil }
      values.append(value)
    }
    return MagicCursor(order: order, values: values, isAfter: flag == 1)
  }

  private mutating func value() -> MagicCursor.Value? {
    switch byte() {
    case 0: return .null
    case 1: return number().map { .integer(Int64(bitPattern: $0)) }
    case 2: return number().flatMap { Double(bitPattern: $0).isNaN ? nil : .real($0) }
    case 3: return content().flatMap(Self.text).map { .text($0) }
    case 4: return content().map { .blob(Array($0)) }
    default: return nil
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.withUnsafeBytes { UTF8Validation.isValid($0) ? String(decoding: $0, as: UTF8.self) : nil }
  }

  private mutating func byte() -> UInt8? { rest.popFirst() }

  private mutating func number() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    let number = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    rest.removeFirst(8)
    return number
  }

  private mutating func content() -> ArraySlice<UInt8>? {
    guard let count = number(), count <= UInt64(rest.count) else { return nil }
    let content = rest.prefix(Int(count))
    rest.removeFirst(Int(count))
    return content
  }
}
