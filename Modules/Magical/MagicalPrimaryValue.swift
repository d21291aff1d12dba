public import Foundation

/// A value that can identify an object: the type of a `@PrimaryMagicValue`.
///
/// `String`, `UUID`, ``MagicUUID`` and the integer types conform, except `UInt` and `UInt64`. Only
/// these three and `Int` have a default value. A type of your own conforms when it is `Magical` and
/// `Hashable`. Unless it implements ``makePrimaryValue()``, it has no default value, and the
/// property must be set before the object is saved.
public protocol MagicalPrimaryValue: Magical, Hashable, Sendable {
  /// Returns the default value for a new object; nil if the type has none.
  static func makePrimaryValue() -> Self?

  /// The value that an object has before the database assigns one; nil if the database assigns
  /// none. `Int` alone has one: 0.
  static var _unassigned: Self? { get }
}

extension MagicalPrimaryValue {
  /// Returns nil: the type has no default value.
  public static func makePrimaryValue() -> Self? { nil }
  /// Nil: the database assigns no value.
  public static var _unassigned: Self? { nil }
}

/// The default value of a new object is a random UUID as text.
extension String: MagicalPrimaryValue {
  /// Returns a random UUID as text.
  public static func makePrimaryValue() -> String? { UUID().uuidString }
}

/// The default value of a new object is a random UUID.
extension UUID: MagicalPrimaryValue {
  /// Returns a random UUID.
  public static func makePrimaryValue() -> UUID? { UUID() }
}

/// The database assigns the values by auto-increment. The value of a new object is 0 until its
/// first save.
extension Int: MagicalPrimaryValue {
  /// 0, the value of an object before its first save.
  public static var _unassigned: Int? { 0 }
}

/// The property must be set before the object is saved.
extension Int8: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension Int16: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension Int32: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension Int64: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension UInt8: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension UInt16: MagicalPrimaryValue {}

/// The property must be set before the object is saved.
extension UInt32: MagicalPrimaryValue {}
