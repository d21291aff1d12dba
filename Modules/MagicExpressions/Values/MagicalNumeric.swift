public import Foundation
public import Magical

/// A type of numbers with which queries can compute.
public protocol MagicalNumeric: MagicalOrdered {
  /// The type of a sum: `Int` for integers, `Double` for floating-point numbers.
  associatedtype Sum: Magical & Sendable & AdditiveArithmetic
}

/// An operation with a nil operand results in nil. Sums and averages ignore nil.
extension Optional: MagicalNumeric where Wrapped: MagicalNumeric {
  /// The type of a sum of the wrapped numbers.
  public typealias Sum = Wrapped.Sum
}

extension Int: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension Int8: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension Int16: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension Int32: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension Int64: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension UInt: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension UInt8: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension UInt16: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension UInt32: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension UInt64: MagicalNumeric {
  /// The type of a sum of integers.
  public typealias Sum = Int
}

extension Double: MagicalNumeric {
  /// The type of a sum of floating-point numbers.
  public typealias Sum = Double
}

extension Float: MagicalNumeric {
  /// The type of a sum of floating-point numbers.
  public typealias Sum = Double
}

extension CGFloat: MagicalNumeric {
  /// The type of a sum of floating-point numbers.
  public typealias Sum = Double
}
