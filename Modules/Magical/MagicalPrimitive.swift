public import Foundation

/// The four types that are stored without conversion: `Int64`, `Double`, `String` and `Data`.
///
/// Types outside this package do not conform. A type of your own is converted to one of the four;
/// see ``Magical``.
public protocol MagicalPrimitive: Magical, Sendable where StoredValue == Self {
  /// The storage class of the column.
  static var storageClass: MagicalStorageClass { get }

  /// Reads a column value; any other storage class throws.
  static func _read(from reader: borrowing some MagicalReader) throws -> Self

  /// Writes the value.
  func _write(to writer: inout some MagicalWriter) throws
}

extension Magical {
  /// Reads the column value and converts it to this type.
  @inlinable
  package static func read(from reader: borrowing some MagicalReader) throws -> Self {
    try Self(storedValue: StoredValue._read(from: reader))
  }

  /// Converts the value to its column value and writes that.
  package func write(to writer: inout some MagicalWriter) throws {
    try storedValue._write(to: &writer)
  }
}

extension MagicalPrimitive {
  /// The value itself.
  public var storedValue: Self { self }
  /// The value itself.
  @inlinable
  public init(storedValue: Self) { self = storedValue }
}

extension Int64: MagicalPrimitive {
  /// The storage class of the column.
  public static var storageClass: MagicalStorageClass { .integer }

  /// Reads an integer; any other storage class throws.
  @inlinable
  public static func _read(from reader: borrowing some MagicalReader) throws -> Int64 {
    guard reader.storageClass == .integer else {
      throw MagicalError.wrongStorageClass(expected: .integer, found: reader.storageClass)
    }
    return reader.integer
  }

  /// Writes the value.
  public func _write(to writer: inout some MagicalWriter) throws {
    try writer.write(integer: self)
  }
}

extension Double: MagicalPrimitive {
  /// The storage class of the column.
  public static var storageClass: MagicalStorageClass { .real }

  /// Reads a real number. An integer, as another tool may have written it, is accepted when a
  /// `Double` represents it exactly.
  @inlinable
  public static func _read(from reader: borrowing some MagicalReader) throws -> Double {
    switch reader.storageClass {
    case .real: return reader.real
    case .integer:
      guard let exact = Double(exactly: reader.integer) else {
        throw MagicalError.cannotDecode("the integer cannot be represented exactly as a Double")
      }
      return exact
    case let found: throw MagicalError.wrongStorageClass(expected: .real, found: found)
    }
  }

  /// Writes the value.
  public func _write(to writer: inout some MagicalWriter) throws {
    guard !isNaN else { throw MagicalError.notANumber }
    try writer.write(real: self)
  }
}

extension String: MagicalPrimitive {
  /// The storage class of the column.
  public static var storageClass: MagicalStorageClass { .text }

  /// Reads a text; any other storage class throws.
  @inlinable
  public static func _read(from reader: borrowing some MagicalReader) throws -> String {
    guard reader.storageClass == .text else {
      throw MagicalError.wrongStorageClass(expected: .text, found: reader.storageClass)
    }
    let bytes = reader.bytes
    guard UTF8Validation.isValid(bytes) else { throw MagicalError.invalidUTF8 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the value.
  public func _write(to writer: inout some MagicalWriter) throws {
    var text = self
    try text.withUTF8 { try writer.write(text: UnsafeRawBufferPointer($0)) }
  }

  /// The bytes are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> String {
    String(decoding: value.bytes, as: UTF8.self)
  }
}

extension Data: MagicalPrimitive {
  /// The storage class of the column.
  public static var storageClass: MagicalStorageClass { .blob }

  /// Reads a blob; any other storage class throws.
  @inlinable
  public static func _read(from reader: borrowing some MagicalReader) throws -> Data {
    guard reader.storageClass == .blob else {
      throw MagicalError.wrongStorageClass(expected: .blob, found: reader.storageClass)
    }
    return Data(reader.bytes)
  }

  /// Writes the value.
  public func _write(to writer: inout some MagicalWriter) throws {
    try withUnsafeBytes { try writer.write(blob: $0) }
  }

  /// The bytes are stored after the slots of the row.
  @inlinable public static var _packing: _MagicalPacking { .bytes }

  /// Creates the value from a packed row.
  @inlinable public static func _unpack(_ value: _MagicalPackedValue) -> Data {
    let bytes = value.bytes
    guard let start = bytes.baseAddress else { return Data() }
    return Data(bytes: start, count: bytes.count)
  }
}
