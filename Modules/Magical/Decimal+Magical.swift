public import Foundation

/// Stored as decimal text, without loss of precision.
extension Decimal: Magical {
  /// The number as text; NaN throws.
  public var storedValue: String {
    get throws {
      guard !isNaN else { throw MagicalError.notANumber }
      return NSDecimalNumber(decimal: self).description(withLocale: nil)
    }
  }

  /// Creates the number from text. `Decimal(string:)` ignores text after the number and rounds a
  /// number that is too long. This initializer throws in both cases.
  public init(storedValue: String) throws {
    var text = storedValue
    guard let value = text.withUTF8({ Decimal(text: UnsafeRawBufferPointer($0)) }) else {
      throw MagicalError.cannotDecode("the text is not a decimal number")
    }
    self = value
  }

  /// The bytes of the number are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Decimal {
    var number = Decimal()
    withUnsafeMutableBytes(of: &number) { $0.copyMemory(from: value.bytes) }
    return number
  }
}

extension Decimal {
  /// Parses the text of a decimal number; nil for any other text, and for a number that would be rounded.
  package init?(text: UnsafeRawBufferPointer) {
    if let value = Decimal(plain: text) {
      self = value
      return
    }
    let text = String(decoding: text, as: UTF8.self)
    guard let digits = DecimalDigits(text),
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      !value.isNaN, (try? digits == DecimalDigits(value.storedValue)) == true
    else { return nil }
    self = value
  }

  /// The number of digits up to which a number fits into an integer of 64 bits.
  private static let plainDigits = 18

  /// Parses the form in which most numbers are stored: a minus sign or none, and at most 18 digits, one
  /// point among them or none. Returns nil for any other text.
  private init?(plain text: UnsafeRawBufferPointer) {
    var (number, exponent, digits) = (UInt64(0), 0, 0)
    let isNegative = text.first == UInt8(ascii: "-")
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), exponent == 0, digits > 0 {
        exponent = digits
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, digits < Self.plainDigits else { return nil }
      number = number * 10 + UInt64(digit)
      digits += 1
    }
    guard digits > exponent else { return nil }
    let value = Decimal(number)
    // On Apple systems a zero with a sign is not a number.
    let isZero = number == 0
    self.init(
      sign: isNegative && !isZero ? .minus : .plus,
      exponent: exponent == 0 || isZero ? 0 : exponent - digits, significand: value)
  }
}
