import Foundation

/// Numbers in files of other programs.
enum ImportedNumber {
  /// Returns a number of CSV, or of a text of JSON.
  ///
  /// - Throws: `ConversionFault` for text that is not in decimal notation, and for a number that is too large.
  static func real(_ text: some Collection<UInt8>) throws -> Double {
    guard isDecimal(text), let real = Double(String(decoding: text, as: UTF8.self)) else {
      throw ConversionFault(reason: "the value is not a number")
    }
    guard real.isFinite else {
      throw ConversionFault(reason: "the number is too large for a Double")
    }
    return real
  }

  /// Returns the infinite number with a name. Exports write these names.
  static func infinity(_ text: String) -> Double? {
    switch text.lowercased() {
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: nil
    }
  }

  /// Whether a text is a number with a sign, digits, a point and an exponent, of which only digits are needed.
  private static func isDecimal(_ text: some Collection<UInt8>) -> Bool {
    var rest = Array(text)[...]
    func skipSign() {
      if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    }
    func skipDigits() -> Int {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count)
      return digits.count
    }
    skipSign()
    var count = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      count += skipDigits()
    }
    guard count > 0 else { return false }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
