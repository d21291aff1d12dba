public import Foundation

/// Stored as a `Double`, which holds every `Float`.
extension Float: Magical {
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
  public var storedValue: Double { timeIntervalSinceReferenceDate }
  public init(storedValue: Double) { self.init(timeIntervalSinceReferenceDate: storedValue) }

  @inlinable public static var _packing: MagicalPacking { .inline }

  @inlinable public static func _unpack(_ value: PackedValue) -> Date {
    Date(timeIntervalSinceReferenceDate: value.slot.assumingMemoryBound(to: Double.self).pointee)
  }
}

/// Stored as decimal text, exactly.
extension Decimal: Magical {
  public var storedValue: String {
    get throws {
      guard !isNaN else { throw MagicalError.notANumber }
      return NSDecimalNumber(decimal: self).description(withLocale: nil)
    }
  }

  /// `Decimal(string:)` reads as far as it can and rounds what is too long; a text with anything
  /// behind the number, or with more digits than a `Decimal` holds, is refused.
  public init(storedValue: String) throws {
    guard let digits = DecimalDigits(storedValue),
      let value = Decimal(string: storedValue, locale: Locale(identifier: "en_US_POSIX")),
      !value.isNaN, try digits == DecimalDigits(value.storedValue)
    else { throw MagicalError.cannotDecode("the text is not a decimal number") }
    self = value
  }
}
