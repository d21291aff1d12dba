import DatabaseTransfer
import Foundation
import Magical

/// How the values of a type are written in documents.
enum DocumentForm {
  /// As exports write the column value.
  case scalar(TransferredKind)
  /// As the JSON that the column contains.
  case json

  init<Value: Magical>(_ type: Value.Type) {
    self =
      switch ValueForm(type) {
      case .json: .json
      case .bool: .scalar(.boolean)
      case .uuidBytes: .scalar(.uuid)
      default: .scalar(TransferredKind(Value.StoredValue.storageClass))
      }
  }

  /// The form of the keys of a dictionary whose keys are stored as column values.
  init(keysOf type: Any.Type) {
    func form<Value: Magical>(_ type: Value.Type) -> DocumentForm { DocumentForm(type) }
    guard !hasJSONKeys(type), let type = type as? any Magical.Type else {
      self = .json
      return
    }
    self = form(type)
  }
}

/// Receives the column value of a property.
struct ScalarWriter: MagicalWriter {
  let kind: TransferredKind
  private(set) var value = TransferredValue.null

  init(_ kind: TransferredKind) { self.kind = kind }

  mutating func write(integer: Int64) {
    value = kind == .boolean ? .boolean(integer != 0) : .integer(integer)
  }
  mutating func write(real: Double) { value = .real(real) }
  mutating func write(text: UnsafeRawBufferPointer) { value = .text(Array(text)) }
  mutating func write(blob: UnsafeRawBufferPointer) {
    value = kind == .uuid ? .uuid(Array(blob)) : .blob(Array(blob))
  }
}

/// The column value that a property is read from.
struct ScalarReader: MagicalReader {
  let storageClass: MagicalStorageClass?
  var integer: Int64 = 0
  var real: Double = 0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Calls a body with the reader of a value.
  static func with<Result>(
    _ value: TransferredValue, _ body: (ScalarReader) throws -> Result
  ) rethrows -> Result {
    switch value {
    case .null: try body(ScalarReader(storageClass: nil))
    case .integer(let integer):
      try body(ScalarReader(storageClass: .integer, integer: integer, real: Double(integer)))
    case .boolean(let boolean):
      try body(ScalarReader(storageClass: .integer, integer: boolean ? 1 : 0))
    case .real(let real): try body(ScalarReader(storageClass: .real, real: real))
    case .text(let text):
      try text.withUnsafeBytes { try body(ScalarReader(storageClass: .text, bytes: $0)) }
    case .blob(let blob), .uuid(let blob):
      try blob.withUnsafeBytes { try body(ScalarReader(storageClass: .blob, bytes: $0)) }
    }
  }
}
