import DatabaseTransfer
import MagicSchema
import Magical

/// Values as expressions of SQL that SQLite reads as exactly the same values.
enum SQLLiteral {
  /// Appends a value.
  ///
  /// - Returns: whether SQLite can store the value.
  static func write(_ value: TransferredValue, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: bytes += "NULL".utf8
    // The digits of the smallest integer are read as a real number, and then negated.
    case .integer(.min): bytes += "(-9223372036854775807 - 1)".utf8
    case .integer(let integer): bytes += integer.description.utf8
    case .boolean(let boolean): bytes.append(UInt8(ascii: boolean ? "1" : "0"))
    case .real(let real):
      guard !real.isNaN else { return false }
      bytes += text(real).utf8
    case .text(let text): write(text: text, to: &bytes)
    case .blob(let blob): write(blob: blob, to: &bytes)
    case .uuid(let uuid): write(text: TransferredValue.uuidText(uuid), to: &bytes)
    }
    return true
  }

  /// The largest integer below which each one is a real number.
  private static let largestExact = 9_007_199_254_740_992.0

  private static func text(_ real: Double) -> String {
    if real.isInfinite { return real > 0 ? "9e999" : "-9e999" }
    if real == 0 { return real.exactSQL }
    if abs(real) < largestExact, real == real.rounded() { return "\(Int64(real)).0" }
    // A division of two numbers that are exact is rounded once, to the number whose digits these are.
    if let (digits, exponent) = decimal(real), (-22...0).contains(exponent) {
      return "\(digits).0/1e\(-exponent)"
    }
    return real.exactSQL
  }

  /// Returns the digits that identify a number as an integer, and the power of ten by which it is
  /// multiplied; nil if the integer is not exact as a real number.
  private static func decimal(_ real: Double) -> (digits: Int64, exponent: Int)? {
    let parts = real.description.split(separator: "e", omittingEmptySubsequences: false)
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1] : ""
    guard let digits = Int64(mantissa[0] + fraction),
      digits.magnitude < UInt64(largestExact),
      let exponent = parts.count > 1 ? Int(parts[1]) : 0
    else { return nil }
    return (digits, exponent - fraction.count)
  }

  private static func write(text: [UInt8], to bytes: inout [UInt8]) {
    // A line of the shell of SQLite cannot contain other controls, and a carriage return at its end
    // is lost.
    let isPlain =
      text.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A }
      && text.withUnsafeBytes { UTF8Validation.isValid($0) }
    guard isPlain else {
      bytes += "CAST(".utf8
      write(blob: text, to: &bytes)
      bytes += " AS TEXT)".utf8
      return
    }
    let quote = UInt8(ascii: "'")
    bytes.append(quote)
    for byte in text {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func write(blob: [UInt8], to bytes: inout [UInt8]) {
    bytes += "x'".utf8
    for byte in blob { bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    bytes.append(UInt8(ascii: "'"))
  }
}
