extension Magical where Self: FixedWidthInteger, StoredValue == Int64 {
  /// The number as an `Int64`; a number greater than `Int64.max` throws.
  public var storedValue: Int64 {
    get throws {
      guard let value = Int64(exactly: self) else {
        throw MagicalError.cannotEncode("the \(Self.self) value is greater than Int64.max")
      }
      return value
    }
  }

  /// Creates the number; a number that is out of range for the type throws.
  @inlinable
  public init(storedValue: Int64) throws {
    guard let value = Self(exactly: storedValue) else { throw MagicalError.outOfRange(Self.self) }
    self = value
  }
}

extension Int: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension Int8: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension Int16: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension Int32: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension UInt8: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension UInt16: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

extension UInt32: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

/// Saving a value greater than `Int64.max` throws.
extension UInt: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

/// Saving a value greater than `Int64.max` throws.
extension UInt64: Magical {
  /// The number is stored as a signed integer of 64 bits.
  public typealias StoredValue = Int64
}

/// Stored as 0 or 1.
extension Bool: Magical {
  /// 1 for true, 0 for false.
  public var storedValue: Int64 { self ? 1 : 0 }

  /// Creates the value from 0 or 1; any other number throws.
  public init(storedValue: Int64) throws {
    guard storedValue == 0 || storedValue == 1 else { throw MagicalError.outOfRange(Bool.self) }
    self = storedValue == 1
  }
}
