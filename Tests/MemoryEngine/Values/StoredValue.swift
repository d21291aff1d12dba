import MagicEngine
import MagicRuntime

/// A value of a column or a key, or a value that a query computes.
///
/// Values are equal if SQL groups them together: 1 and 1.0, and NULL and NULL.
enum StoredValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(StoredBytes)
  case blob(StoredBytes)

  init(text: String) {
    var text = text
    self = text.withUTF8 { .text(StoredBytes(UnsafeRawBufferPointer($0))) }
  }

  /// Creates the value of a condition.
  init(_ condition: Bool) { self = .integer(condition ? 1 : 0) }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// The row ID to which a value of a relationship refers.
  var rowID: Int64? { if case .integer(let rowID) = self { rowID } else { nil } }

  /// Whether the value is true as a condition; NULL is not.
  var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text, .blob: false
    }
  }

  /// The bytes of a text or blob.
  var stored: StoredBytes? {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    case .null, .integer, .real: nil
    }
  }

  /// A digest that differs for all different values, also for 1 and 1.0, and for 0.0 and −0.0.
  var digest: ValueDigest {
    switch self {
    case .null: .null
    case .integer(let integer): ValueDigest(integer: integer)
    case .real(let real): ValueDigest(real: real)
    case .text(let text): ValueDigest(text: text.bytes)
    case .blob(let blob): ValueDigest(blob: blob.bytes)
    }
  }
}

extension StoredValue: Hashable {
  /// Compares in the order of SQL: NULL, numbers, texts, blobs.
  ///
  /// - Returns: A negative number if the first value precedes the second, 0 if both are equal.
  static func order(_ left: StoredValue, _ right: StoredValue) -> Int {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.real(let left), .real(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.integer(let left), .real(let right)): order(left, right)
    case (.real(let left), .integer(let right)): -order(right, left)
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left === right ? 0 : left.order(to: right)
    default: left.rank == right.rank ? 0 : left.rank < right.rank ? -1 : 1
    }
  }

  /// Compares lists of values by the first pair that differs.
  static func order(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
    for (left, right) in zip(left, right) {
      let order = order(left, right)
      if order != 0 { return order }
    }
    return 0
  }

  private static func order(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - real.rounded(.towardZero)
    return rest == 0 ? 0 : rest > 0 ? -1 : 1
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  static func == (left: StoredValue, right: StoredValue) -> Bool { order(left, right) == 0 }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .integer(let integer): hasher.combine(integer)
    case .real(let real):
      if let integer = Int64(exactly: real) {
        hasher.combine(integer)
      } else {
        hasher.combine(real)
      }
    case .text(let bytes), .blob(let bytes): hasher.combine(bytes: bytes.bytes)
    }
  }
}
