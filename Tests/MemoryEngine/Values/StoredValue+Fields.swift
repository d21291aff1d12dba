import MagicEngine
import MagicSchema
import Magical

/// Values as fields of changesets and results, and as values of queries.
extension StoredValue {
  init(_ field: Field, in buffer: FieldBuffer) {
    self =
      switch field.kind {
      case .null, .file: .null
      case .integer: .integer(field.integer)
      case .real: .real(field.real)
      case .text: .text(StoredBytes(buffer.bytes(of: field)))
      case .largeText: .text(StoredBytes(buffer.largeBytes(of: field)))
      case .blob: .blob(StoredBytes(buffer.bytes(of: field)))
      case .largeBlob: .blob(StoredBytes(buffer.largeBytes(of: field)))
      }
  }

  /// The value as a field of a buffer.
  func field(in buffer: FieldBuffer) -> Field {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): buffer.copy(text: text.bytes)
    case .blob(let blob): buffer.copy(blob: blob.bytes)
    }
  }

  /// - Parameter rowID: Returns the row ID of an object.
  init(_ value: QueryValue, rowID: (any MagicObject) throws -> Int64) rethrows {
    self =
      switch value {
      case .null, .list: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): StoredValue(text: text)
      case .blob(let bytes): bytes.withUnsafeBytes { .blob(StoredBytes($0)) }
      case .object(let object): .integer(try rowID(object))
      }
  }

  var queryValue: QueryValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .text(String(decoding: text.bytes, as: UTF8.self))
    case .blob(let blob): .blob(Array(blob.bytes))
    }
  }

  /// Adds the value to a digest of fetched values.
  func add(to digest: ResultDigest?) {
    guard let digest else { return }
    switch self {
    case .null: digest.addNull()
    case .integer(let integer): digest.add(integer: integer)
    case .real(let real): digest.add(real: real)
    case .text(let text): digest.add(text: text.bytes)
    case .blob(let blob): digest.add(blob: blob.bytes)
    }
  }
}

/// A writer that receives a stored value.
struct StoredValueWriter: MagicalWriter {
  private(set) var value = StoredValue.null

  mutating func write(integer: Int64) { value = .integer(integer) }
  mutating func write(real: Double) { value = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) { value = .text(StoredBytes(text)) }
  mutating func write(blob: UnsafeRawBufferPointer) { value = .blob(StoredBytes(blob)) }
}
