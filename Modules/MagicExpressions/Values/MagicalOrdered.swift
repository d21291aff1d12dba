public import Foundation
public import MagicSchema

/// A value that has an order in the database, so that queries can compare it with `<`.
///
/// Text is ordered by its UTF-8 bytes, "Z" before "a", unless its property or the query has a
/// ``MagicCollation``. Dates, durations, numbers and row IDs
/// are ordered by their values. Your own type can conform if its stored values have the order of the type.
public protocol MagicalOrdered: Sendable {
  /// The type without `Optional`. Values of types with the same `OrderedValue` can be compared.
  associatedtype OrderedValue = Self
}

extension Int: MagicalOrdered {}
extension Int8: MagicalOrdered {}
extension Int16: MagicalOrdered {}
extension Int32: MagicalOrdered {}
extension Int64: MagicalOrdered {}
extension UInt: MagicalOrdered {}
extension UInt8: MagicalOrdered {}
extension UInt16: MagicalOrdered {}
extension UInt32: MagicalOrdered {}
extension UInt64: MagicalOrdered {}
extension Double: MagicalOrdered {}
extension Float: MagicalOrdered {}
extension CGFloat: MagicalOrdered {}
extension Date: MagicalOrdered {}
extension String: MagicalOrdered {}
extension Character: MagicalOrdered {}
extension Bool: MagicalOrdered {}
extension UUID: MagicalOrdered {}
extension MagicUUID: MagicalOrdered {}
extension ZIndex: MagicalOrdered {}

/// A comparison by order with nil is false.
extension Optional: MagicalOrdered where Wrapped: MagicalOrdered {
  /// The wrapped type.
  public typealias OrderedValue = Wrapped.OrderedValue
}
