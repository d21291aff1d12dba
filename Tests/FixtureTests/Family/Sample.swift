import Foundation

/// The values of rows in fixtures, computed from the number of the row.
enum Sample {
  /// 64 pseudorandom bits.
  static func bits(_ number: Int, _ salt: UInt64 = 0) -> UInt64 {
    var bits = (UInt64(number) &+ salt &* 1_000_003) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Texts that are hard to store: empty, with NUL, quotes, and accents in two Unicode forms.
  static func text(_ number: Int) -> String {
    switch number % 8 {
    case 0: ""
    case 1: "nul\0inside \(number)"
    case 2: "🧑🏽‍🚀 \(number) 🏳️‍🌈"
    case 3: "quo\"te's `\(number)`; --"
    case 4: "e\u{301}tude \(number)"
    case 5: "\u{E9}tude \(number)"
    case 6: "two\nlines\tand % _ \(number)"
    default: "\0"
    }
  }

  static func real(_ number: Int) -> Double {
    switch number % 8 {
    case 0: -0.0
    case 1: .infinity
    case 2: -.infinity
    case 3: .leastNonzeroMagnitude
    case 4: -.greatestFiniteMagnitude
    case 5: 0
    case 6: 0.1 * Double(number)
    default: 9_007_199_254_740_991
    }
  }

  static func integer(_ number: Int) -> Int {
    switch number % 4 {
    case 0: .min
    case 1: .max
    case 2: -number
    default: Int(truncatingIfNeeded: bits(number, 1))
    }
  }

  static func date(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.125 - 1_000_000)
  }

  static func uuid(_ number: Int, _ salt: UInt64 = 2) -> UUID {
    let texts = [bits(number, salt), bits(number, salt + 1)].map { bits in
      let text = String(bits, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    var text = texts.joined()
    for place in [20, 16, 12, 8] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return UUID(uuidString: text) ?? UUID()
  }

  static func decimal(_ number: Int) -> Decimal {
    Decimal(
      sign: number.isMultiple(of: 2) ? .plus : .minus, exponent: number % 30 - 20,
      significand: Decimal(bits(number, 4)))
  }

  static func bytes(_ number: Int, upTo count: Int = 40) -> [UInt8] {
    (0..<number * 7 % count).map { UInt8(truncatingIfNeeded: bits(number * 100 + $0, 5)) }
  }

  static func data(_ number: Int, upTo count: Int = 40) -> Data {
    Data(bytes(number, upTo: count))
  }

  static func texts(_ number: Int) -> [String] {
    (0..<number % 4).map { text(number + $0) }
  }

  static func isNil(_ number: Int) -> Bool { number.isMultiple(of: 3) }
}
