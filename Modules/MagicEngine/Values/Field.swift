/// One value of a row in its stored form.
///
/// The bytes of a text or a blob are in the ``FieldBuffer`` that contains the field.
@frozen @usableFromInline
package struct Field: BitwiseCopyable, Sendable {
  @frozen @usableFromInline
  package enum Kind: UInt8, BitwiseCopyable, Sendable {
    case null
    case integer
    case real
    case text
    case blob
    /// A text or blob that is too large for the buffer's memory.
    case largeText
    case largeBlob
    /// The name of an asset file. The engine writes the file before the row.
    case file
  }

  @usableFromInline package let kind: Kind
  /// The number of bytes of a text or blob.
  @usableFromInline let count: UInt32
  /// The integer, the bits of the real, or the location of the value in the buffer.
  @usableFromInline let bits: Int64

  @inlinable @inline(__always)
  init(_ kind: Kind, bits: Int64, count: UInt32 = 0) {
    self.kind = kind
    self.bits = bits
    self.count = count
  }

  @inlinable package static var null: Field { Field(.null, bits: 0) }

  @inlinable
  package static func integer(_ value: Int64) -> Field { Field(.integer, bits: value) }

  @inlinable
  package static func real(_ value: Double) -> Field {
    Field(.real, bits: Int64(bitPattern: value.bitPattern))
  }

  /// The bytes of a text or blob.
  ///
  /// - Parameter memory: ``FieldBuffer/firstByte``.
  @inlinable @inline(__always)
  package func bytes(in memory: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory + Int(bits), count: Int(count))
  }

  /// The value of an integer.
  @inlinable package var integer: Int64 { bits }

  /// The value of a real.
  @inlinable package var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }
}
