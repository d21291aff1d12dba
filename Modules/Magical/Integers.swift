extension Magical where Self: FixedWidthInteger, StoredValue == Int64 {
  /// The same number; above `Int64.max` it throws.
  public var storedValue: Int64 {
    get throws {
      guard let value = Int64(exactly: self) else {
        throw MagicalError.cannotEncode("the \(Self.self) is above Int64.max")
      }
      return value
    }
  }

  /// The same number; one out of range throws.
  public init(storedValue: Int64) throws {
    guard let value = Self(exactly: storedValue) else { throw MagicalError.outOfRange(Self.self) }
    self = value
  }
}

extension Int: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension Int8: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension Int16: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension Int32: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension UInt8: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension UInt16: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

extension UInt32: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

/// Stored as a signed integer: saving a value above `Int64.max` is an error.
extension UInt: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

/// Stored as a signed integer: saving a value above `Int64.max` is an error.
extension UInt64: Magical {
  /// The number itself.
  public typealias StoredValue = Int64
}

/// Stored as 0 and 1.
extension Bool: Magical {
  /// 0 or 1.
  public var storedValue: Int64 { self ? 1 : 0 }

  /// Reads 0 and 1; any other number throws.
  public init(storedValue: Int64) throws {
    guard storedValue == 0 || storedValue == 1 else { throw MagicalError.outOfRange(Bool.self) }
    self = storedValue == 1
  }
}
