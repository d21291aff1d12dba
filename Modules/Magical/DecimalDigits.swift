/// A number as its text spells it, without the zeros that change nothing: two spellings of one
/// number are equal.
struct DecimalDigits: Equatable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  /// Nil where the text is anything but one decimal number.
  init?(_ text: String) {
    var rest = text.utf8[...]
    isNegative = Self.takeSign(from: &rest)
    var isEmpty = true
    var isBehindPoint = false
    while let byte = rest.first, byte == UInt8(ascii: ".") || Self.isDigit(byte) {
      rest.removeFirst()
      if Self.isDigit(byte) {
        isEmpty = false
        digits.append(byte)
        if isBehindPoint { exponent -= 1 }
      } else {
        guard !isBehindPoint else { return nil }
        isBehindPoint = true
      }
    }
    guard !isEmpty else { return nil }
    if let mark = rest.popFirst() {
      guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
      let isBelowOne = Self.takeSign(from: &rest)
      // Any exponent of more than six digits is beyond every decimal type.
      guard (1...6).contains(rest.count), rest.allSatisfy(Self.isDigit) else { return nil }
      let shift = rest.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      exponent += isBelowOne ? -shift : shift
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
