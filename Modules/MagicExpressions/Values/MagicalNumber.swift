public import Foundation

/// A type of numbers that queries round and convert.
public protocol MagicalNumber: MagicalNumeric {
  /// `Double`, or `Double?` for an optional type.
  associatedtype DoubleValue: Sendable = Double
  /// `Int`, or `Int?` for an optional type.
  associatedtype IntValue: Sendable = Int
}

/// A type of integers, which have remainders.
public protocol MagicalInteger: MagicalNumber {}

/// An operation with nil results in nil.
extension Optional: MagicalNumber where Wrapped: MagicalNumber {
  /// An optional floating-point number.
  public typealias DoubleValue = Double?
  /// An optional integer.
  public typealias IntValue = Int?
}

extension Optional: MagicalInteger where Wrapped: MagicalInteger {}
extension Int: MagicalInteger {}
extension Int8: MagicalInteger {}
extension Int16: MagicalInteger {}
extension Int32: MagicalInteger {}
extension Int64: MagicalInteger {}
extension UInt: MagicalInteger {}
extension UInt8: MagicalInteger {}
extension UInt16: MagicalInteger {}
extension UInt32: MagicalInteger {}
extension UInt64: MagicalInteger {}
extension Double: MagicalNumber {}
extension Float: MagicalNumber {}
extension CGFloat: MagicalNumber {}
