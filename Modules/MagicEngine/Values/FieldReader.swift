public import Magical

/// Reads one field of a buffer. Valid until the buffer is written to or emptied.
///
/// The reader does not retain the buffer, because a reader is created for each value of a row.
@frozen @usableFromInline
package struct FieldReader: MagicalReader {
  @usableFromInline let field: Field
  @usableFromInline package let bytes: UnsafeRawBufferPointer

  @inlinable
  package init(_ buffer: FieldBuffer, _ field: Field) {
    self.field = field
    bytes =
      switch field.kind {
      case .text, .blob: field.bytes(in: buffer.firstByte)
      case .largeText, .largeBlob: buffer.largeBytes(of: field)
      case .null, .integer, .real, .file: UnsafeRawBufferPointer(start: nil, count: 0)
      }
  }

  @inlinable
  package init(_ buffer: FieldBuffer, at index: Int) { self.init(buffer, buffer.firstField[index]) }

  @inlinable
  package var isNull: Bool { if case .null = field.kind { true } else { false } }

  @usableFromInline
  package var storageClass: MagicalStorageClass? {
    switch field.kind {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text, .largeText, .file: .text
    case .blob, .largeBlob: .blob
    }
  }

  @inlinable
  package var integer: Int64 { if case .integer = field.kind { field.integer } else { 0 } }

  @inlinable
  package var real: Double {
    switch field.kind {
    case .integer: Double(field.integer)
    case .real: field.real
    default: 0
    }
  }
}
