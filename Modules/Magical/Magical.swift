/// A value that is stored in one column of a table.
///
/// Strings, numbers, dates, identifiers and bytes are magical. Make a type of your own magical by
/// converting it to and from a magical type:
///
/// ```swift
/// struct Celsius: Magical {
///   var degrees: Double
///
///   var storedValue: Double { degrees }
///   init(storedValue: Double) { degrees = storedValue }
/// }
/// ```
///
/// A `RawRepresentable` type whose raw value is magical needs no code except the conformance, and
/// neither does a `Codable` type that conforms to ``MagicalCodable``.
public protocol Magical: MagicalColumn {
  /// The type of the column value: `Int64`, `Double`, `String` or `Data`.
  associatedtype StoredValue: MagicalPrimitive

  /// The column value of this value.
  ///
  /// - Throws: ``MagicalError`` when the value cannot be stored, for example when it is NaN.
  var storedValue: StoredValue { get throws }

  /// Creates the value from a column value.
  ///
  /// - Throws: ``MagicalError`` when the column value is not valid for this type.
  init(storedValue: StoredValue) throws

  /// How the value is stored in a packed row. This requirement has a default implementation; types
  /// outside this package do not implement it.
  static var _packing: _MagicalPacking { get }

  /// Creates the value from a packed row. This requirement has a default implementation; types
  /// outside this package do not implement it.
  static func _unpack(_ value: _MagicalPackedValue) -> Self
}

extension Magical {
  /// A trivial type of at most eight bytes is stored in the slot itself, every other type in an
  /// object.
  @inlinable public static var _packing: _MagicalPacking {
    _isPOD(Self.self) && MemoryLayout<Self>.size <= _MagicalPackedValue.slotSize
      && MemoryLayout<Self>.alignment <= _MagicalPackedValue.slotSize
      ? .inline : .object
  }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    value.slot.assumingMemoryBound(to: Self.self).pointee
  }
}
