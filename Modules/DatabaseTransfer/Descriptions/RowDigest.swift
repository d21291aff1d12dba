/// The number of rows, and a digest of their values that does not depend on the order of the rows.
///
/// The digest detects lost, doubled and changed rows. It distinguishes 0.0 from −0.0, NULL from an
/// empty value, and a text from a blob. It is not for protection against chosen values.
package struct RowDigest: Equatable, Sendable {
  package private(set) var count = 0
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  package init() {}

  /// Adds a row.
  package mutating func add(_ values: [TransferredValue]) {
    var state = State()
    for value in values { state.add(value) }
    count += 1
    first &+= state.first
    second &+= state.second
  }

  /// The hash of one row, in two halves that mix differently.
  private struct State {
    var first: UInt64 = 0x243F_6A88_85A3_08D3
    var second: UInt64 = 0x1319_8A2E_0370_7344

    mutating func add(_ value: TransferredValue) {
      switch value {
      case .null: add(0)
      case .integer(let integer): add(1, UInt64(bitPattern: integer))
      case .real(let real): add(2, real.bitPattern)
      case .text(let bytes): add(3, bytes)
      case .blob(let bytes): add(4, bytes)
      case .boolean(let boolean): add(5, boolean ? 1 : 0)
      case .uuid(let bytes): add(6, bytes)
      }
    }

    private mutating func add(_ kind: UInt64, _ bits: UInt64) {
      add(kind)
      add(bits)
    }

    private mutating func add(_ kind: UInt64, _ bytes: [UInt8]) {
      add(kind, UInt64(bytes.count))
      bytes.withUnsafeBytes { bytes in
        var index = 0
        while index + 8 <= bytes.count {
          add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
          index += 8
        }
        guard index < bytes.count else { return }
        var rest: UInt64 = 0
        for byte in bytes[index...] { rest = rest << 8 | UInt64(byte) }
        add(rest)
      }
    }

    private mutating func add(_ word: UInt64) {
      first = (first ^ word) &* 0x9E37_79B9_7F4A_7C15
      first ^= first >> 29
      second = (second &+ word) &* 0xBF58_476D_1CE4_E5B9
      second ^= second >> 32
    }
  }
}
