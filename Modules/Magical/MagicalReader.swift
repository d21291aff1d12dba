/// A source that a value is read from: one column of a row.
public protocol MagicalReader {
  /// The storage class of the current column; nil for NULL.
  var storageClass: MagicalStorageClass? { get }
  /// The column as an integer. Valid only if the storage class is ``MagicalStorageClass/integer``.
  var integer: Int64 { get }
  /// The column as a real number. Valid only if the storage class is integer or real.
  var real: Double { get }
  /// The bytes of a text or blob. They are valid until the reader moves to another row.
  var bytes: UnsafeRawBufferPointer { get }
}

/// A destination that a value is written to: one parameter of a statement.
public protocol MagicalWriter {
  /// Writes an integer.
  mutating func write(integer: Int64) throws
  /// Writes a real number.
  mutating func write(real: Double) throws
  /// Writes a text, given as UTF-8 bytes. They are copied.
  mutating func write(text: UnsafeRawBufferPointer) throws
  /// Writes a blob. Its bytes are copied.
  mutating func write(blob: UnsafeRawBufferPointer) throws
}
