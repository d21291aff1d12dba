public import Foundation

/// A value that can name an object: the type of a `@PrimaryMagicValue`.
///
/// `String`, `UUID` and `Int` conform. A type of your own conforms by being `Magical` and
/// `Hashable`; without a ``makePrimaryValue()`` of its own it has no default and must be set
/// before the object is saved.
public protocol MagicalPrimaryValue: Magical, Hashable, Sendable {
  /// The default of a new object; nil where there is none.
  static func makePrimaryValue() -> Self?

  /// What an object reads before the database assigned the value; nil where the database assigns
  /// none. Not nil for `Int` alone: it reads 0.
  static var _unassigned: Self? { get }
}

extension MagicalPrimaryValue {
  /// There is no default.
  public static func makePrimaryValue() -> Self? { nil }
  /// The database assigns none.
  public static var _unassigned: Self? { nil }
}

/// A new object gets a random UUID's text.
extension String: MagicalPrimaryValue {
  /// A random UUID's text.
  public static func makePrimaryValue() -> String? { UUID().uuidString }
}

/// A new object gets a random UUID.
extension UUID: MagicalPrimaryValue {
  /// A random UUID.
  public static func makePrimaryValue() -> UUID? { UUID() }
}

/// The database counts up: a new object reads 0 until its first save.
extension Int: MagicalPrimaryValue {
  /// An object reads 0 until its first save.
  public static var _unassigned: Int? { 0 }
}
