package import Magical

/// One field of a buffer, as values read it.
package struct FieldReader: MagicalReader {
  private let buffer: FieldBuffer
  private let field: Field

  package init(_ buffer: FieldBuffer, _ field: Field) {
    self.buffer = buffer
    self.field = field
  }

  package init(_ buffer: FieldBuffer, at place: Int) { self.init(buffer, buffer[place]) }

  package var isNull: Bool { if case .null = field.kind { true } else { false } }

  package var storageClass: MagicalStorageClass? {
    switch field.kind {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text, .largeText, .file: .text
    case .blob, .largeBlob: .blob
    }
  }

  package var integer: Int64 { field.integer }

  package var real: Double {
    if case .integer = field.kind { Double(field.integer) } else { field.real }
  }

  package var bytes: UnsafeRawBufferPointer {
    switch field.kind {
    case .text, .blob: buffer.bytes(of: field)
    case .largeText, .largeBlob: buffer.largeBytes(of: field)
    case .null, .integer, .real, .file: UnsafeRawBufferPointer(start: nil, count: 0)
    }
  }
}
