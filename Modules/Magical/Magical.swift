/// A value that fits one column of a table.
///
/// Strings, numbers, dates, identifiers and bytes are magical. A type of your own becomes magical
/// by naming the magical type it is stored as:
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
/// A `RawRepresentable` type whose raw value is magical needs no code at all, and neither does a
/// `Codable` type that conforms to ``MagicalCodable``.
public protocol Magical: MagicalColumn {
  /// One of the four types that are stored as they are: `Int64`, `Double`, `String` or `Data`.
  associatedtype StoredValue: MagicalPrimitive

  /// The value as it is stored.
  ///
  /// - Throws: ``MagicalError`` when the value has no stored form, as NaN has none.
  var storedValue: StoredValue { get throws }

  /// Makes the value from its stored form.
  ///
  /// - Throws: ``MagicalError`` when the stored form is no value of this type.
  init(storedValue: StoredValue) throws

  /// How the value lies in a packed row. Derived; types outside this package leave it alone.
  static var _packing: _MagicalPacking { get }

  /// Makes the value from a packed row. Derived; types outside this package leave it alone.
  static func _unpack(_ value: _MagicalPackedValue) -> Self
}

extension Magical {
  /// Plain bits of at most eight bytes lie in the slot itself, everything else in an object.
  @inlinable public static var _packing: _MagicalPacking {
    _isPOD(Self.self) && MemoryLayout<Self>.size <= _MagicalPackedValue.slotSize
      && MemoryLayout<Self>.alignment <= _MagicalPackedValue.slotSize
      ? .inline : .object
  }

  /// Makes the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Self {
    value.slot.assumingMemoryBound(to: Self.self).pointee
  }
}
