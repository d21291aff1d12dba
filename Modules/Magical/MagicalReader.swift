/// What a value is read from: one column of a row.
public protocol MagicalReader {
  /// The storage class of the value at hand; nil for NULL.
  var storageClass: MagicalStorageClass? { get }
  /// The value as an integer; meaningful for ``MagicalStorageClass/integer`` alone.
  var integer: Int64 { get }
  /// The value as a real number; meaningful for integers and reals.
  var real: Double { get }
  /// The bytes of a text or blob, valid until the reader moves on.
  var bytes: UnsafeRawBufferPointer { get }
}

/// What a value is written to: one parameter of a statement.
public protocol MagicalWriter {
  mutating func write(integer: Int64) throws
  mutating func write(real: Double) throws
  mutating func write(text: UnsafeRawBufferPointer) throws
  mutating func write(blob: UnsafeRawBufferPointer) throws
}
