public import Foundation

/// Stored as a `Double`, which holds every `Float`.
extension Float: Magical {
  /// The same number.
  public var storedValue: Double { Double(self) }

  /// A `Double` that another tool stored is rounded; one beyond the range of `Float` is refused.
  public init(storedValue: Double) throws {
    let value = Float(storedValue)
    guard value.isFinite || !storedValue.isFinite else {
      throw MagicalError.cannotDecode("the number is out of range for Float")
    }
    self = value
  }
}

/// Stored as seconds since 2001-01-01 00:00:00 UTC, which every `Date` survives unchanged.
extension Date: Magical {
  /// The seconds since 2001-01-01.
  public var storedValue: Double { timeIntervalSinceReferenceDate }
  /// The moment so many seconds after 2001-01-01.
  public init(storedValue: Double) { self.init(timeIntervalSinceReferenceDate: storedValue) }

  /// The date's seconds lie in the slot.
  @inlinable public static var _packing: MagicalPacking { .inline }

  /// Makes the value from a packed row.
  @inlinable public static func _unpack(_ value: PackedValue) -> Date {
    Date(timeIntervalSinceReferenceDate: value.slot.assumingMemoryBound(to: Double.self).pointee)
  }
}

/// Stored as decimal text, exactly.
extension Decimal: Magical {
  /// The digits; NaN throws.
  public var storedValue: String {
    get throws {
      guard !isNaN else { throw MagicalError.notANumber }
      return NSDecimalNumber(decimal: self).description(withLocale: nil)
    }
  }

  /// Reads the digits; a text that is no decimal number throws.
  public init(storedValue: String) throws {
    guard let value = Decimal(string: storedValue, locale: Locale(identifier: "en_US_POSIX")),
      try value.storedValue == storedValue || Self.isPlain(storedValue)
    else { throw MagicalError.cannotDecode("the text is not a decimal number") }
    self = value
  }

  /// `Decimal(string:)` reads as far as it can; a text with anything behind the number is refused.
  private static func isPlain(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var digits = 0
    var points = 0
    while let byte = rest.first, byte == UInt8(ascii: ".") || isDigit(byte) {
      if isDigit(byte) { digits += 1 } else { points += 1 }
      rest.removeFirst()
    }
    guard digits > 0, points <= 1 else { return false }
    guard let exponent = rest.first else { return true }
    guard exponent == UInt8(ascii: "e") || exponent == UInt8(ascii: "E") else { return false }
    rest.removeFirst()
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
