public import Foundation
public import MagicSchema

/// A value that the database orders as Swift does, so that queries can compare it with `<`.
///
/// Text is ordered by its UTF-8 bytes: "Z" comes before "a". Moments, numbers and z-indexes are
/// ordered by what they mean. A type of your own may conform where the order of its stored values is
/// its order.
public protocol MagicalOrdered: Sendable {}

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
extension Date: MagicalOrdered {}
extension String: MagicalOrdered {}
extension Bool: MagicalOrdered {}
extension UUID: MagicalOrdered {}
extension ZIndex: MagicalOrdered {}

/// No order comparison with nil is true.
extension Optional: MagicalOrdered where Wrapped: MagicalOrdered {}
