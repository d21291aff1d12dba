/// A decimal number in a normal form: the sign, the digits without leading and trailing zeros, and
/// the exponent. Two texts of the same number give equal values.
struct DecimalDigits: Equatable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  /// Parses a decimal number. The result is nil if the text contains anything else.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = Self.takeSign(from: &rest)
    var isEmpty = true
    var isAfterPoint = false
    while let byte = rest.first, byte == UInt8(ascii: ".") || Self.isDigit(byte) {
      rest.removeFirst()
      if Self.isDigit(byte) {
        isEmpty = false
        digits.append(byte)
        if isAfterPoint { exponent -= 1 }
      } else {
        guard !isAfterPoint else { return nil }
        isAfterPoint = true
      }
    }
    guard !isEmpty else { return nil }
    if let letter = rest.popFirst() {
      guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else { return nil }
      let isExponentNegative = Self.takeSign(from: &rest)
      // An exponent of more than six digits is out of range for every decimal type.
      guard (1...6).contains(rest.count), rest.allSatisfy(Self.isDigit) else { return nil }
      let shift = rest.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      exponent += isExponentNegative ? -shift : shift
    }
    dropZeros()
  }

  private mutating func dropZeros() {
    let zero = UInt8(ascii: "0")
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == zero })
    guard digits.isEmpty else { return }
    exponent = 0
    isNegative = false
  }

  private static func takeSign(from rest: inout Substring.UTF8View) -> Bool {
    guard let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
      return false
    }
    rest.removeFirst()
    return sign == UInt8(ascii: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
