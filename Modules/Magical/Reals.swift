public import Foundation

/// Stored as a `Double`, which represents every `Float` exactly.
extension Float: Magical {
  /// The number as a `Double`.
  public var storedValue: Double { Double(self) }

  /// Creates the number. A `Double` that another tool wrote is rounded; one that is out of range
  /// for `Float` throws.
  public init(storedValue: Double) throws {
    try self.init(rounding: storedValue)
  }
}

/// Stored as a `Double`.
extension CGFloat: Magical {
  /// The number as a `Double`.
  public var storedValue: Double { Double(self) }

  /// Creates the number. Where a `CGFloat` has 32 bits, a `Double` is rounded, and one that is out
  /// of range throws.
  public init(storedValue: Double) throws {
    try self.init(rounding: storedValue)
  }
}

extension BinaryFloatingPoint {
  /// Creates the nearest number.
  ///
  /// - Throws: `MagicalError` if the number is finite and out of range.
  fileprivate init(rounding number: Double) throws {
    self.init(number)
    guard isFinite || !number.isFinite else {
      throw MagicalError.cannotDecode("the number is out of range for \(Self.self)")
    }
  }
}

/// Stored as seconds since 2001-01-01 00:00:00 UTC, which is the representation of `Date`. No
/// precision is lost.
extension Date: Magical {
  /// The seconds since 2001-01-01 00:00:00 UTC.
  public var storedValue: Double { timeIntervalSinceReferenceDate }
  /// Creates the date from the seconds since 2001-01-01 00:00:00 UTC.
  public init(storedValue: Double) { self.init(timeIntervalSinceReferenceDate: storedValue) }

  /// The seconds are stored in the slot.
  @inlinable public static var _packing: _MagicalPacking { .inline }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Date {
    Date(timeIntervalSinceReferenceDate: value.slot.assumingMemoryBound(to: Double.self).pointee)
  }
}
