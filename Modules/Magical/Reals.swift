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
  @inlinable public static var _packing: _MagicalPacking { .inline }

  /// Makes the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Date {
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

  /// Reads the digits. `Decimal(string:)` reads as far as it can and rounds what is too long; a
  /// text with anything behind the number, or with more digits than a `Decimal` holds, throws.
  public init(storedValue: String) throws {
    guard let digits = DecimalDigits(storedValue),
      let value = Decimal(string: storedValue, locale: Locale(identifier: "en_US_POSIX")),
      !value.isNaN, try digits == DecimalDigits(value.storedValue)
    else { throw MagicalError.cannotDecode("the text is not a decimal number") }
    self = value
  }
}
