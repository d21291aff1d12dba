public import Magical

/// A number that queries compute with.
public protocol MagicalNumeric: MagicalOrdered {
  /// What a sum of such numbers is: `Int`, or `Double` for reals.
  associatedtype Sum: Magical & Sendable & AdditiveArithmetic
}

/// Computing with nil gives nil; sums pass over it.
extension Optional: MagicalNumeric where Wrapped: MagicalNumeric {
  /// As of the numbers themselves.
  public typealias Sum = Wrapped.Sum
}

extension Int: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension Int8: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension Int16: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension Int32: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension Int64: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension UInt: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension UInt8: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension UInt16: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension UInt32: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension UInt64: MagicalNumeric {
  /// An integer.
  public typealias Sum = Int
}

extension Double: MagicalNumeric {
  /// A real number.
  public typealias Sum = Double
}

extension Float: MagicalNumeric {
  /// A real number.
  public typealias Sum = Double
}
