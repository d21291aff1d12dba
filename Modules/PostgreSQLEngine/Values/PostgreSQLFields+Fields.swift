import MagicEngine
import MagicPostgreSQL
import MagicSchema
import Magical

extension PostgreSQLFields {
  /// Appends a field as a value of a type.
  ///
  /// - Throws: `MagicalError` if the type has no such value.
  func append(_ field: Field, of buffer: FieldBuffer, as type: PostgreSQLType) throws {
    switch field.kind {
    // The names of assets have replaced files before.
    case .null, .file: appendNull()
    case .integer: try append(field.integer, as: type)
    case .real: append(real: field.real)
    case .text: try append(textBytes: buffer.bytes(of: field), as: type)
    case .largeText: try append(textBytes: buffer.largeBytes(of: field), as: type)
    case .blob: append(bytes: buffer.bytes(of: field))
    case .largeBlob: append(bytes: buffer.largeBytes(of: field))
    }
  }

  private func append(_ integer: Int64, as type: PostgreSQLType) throws {
    switch type {
    case .boolean: append(boolean: integer != 0)
    case .float8: append(real: Double(integer))
    default: append(integer: integer)
    }
  }

  func append(textBytes: UnsafeRawBufferPointer, as type: PostgreSQLType) throws {
    guard type == .uuid else {
      // The length of a value has 31 bits.
      guard textBytes.count < 1 << 29 else {
        throw MagicalError.cannotEncode("the text is longer than PostgreSQL can store")
      }
      return append(text: textBytes)
    }
    guard let uuid = UUIDText.bytes(of: textBytes) else {
      throw MagicalError.cannotEncode("the text is not a UUID")
    }
    withUnsafeBytes(of: uuid) { append(bytes: $0) }
  }
}
