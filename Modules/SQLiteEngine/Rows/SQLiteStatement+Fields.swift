import MagicEngine
import MagicSQLite

extension SQLiteStatement {
  /// Binds a field that is not a file. Its buffer must not change until the statement is reset.
  ///
  /// - Parameter memory: ``FieldBuffer/firstByte``.
  @inline(__always)
  func bind(
    _ field: Field, of values: FieldBuffer, _ memory: UnsafeRawPointer, at parameter: Int
  ) throws(SQLiteError) {
    switch field.kind {
    case .null, .file: try bindNull(at: parameter)
    case .integer: try bind(field.integer, at: parameter)
    case .real: try bind(field.real, at: parameter)
    case .text: try bind(stableText: field.bytes(in: memory), at: parameter)
    case .blob: try bind(stableBlob: field.bytes(in: memory), at: parameter)
    case .largeText: try bind(stableText: values.largeBytes(of: field), at: parameter)
    case .largeBlob: try bind(stableBlob: values.largeBytes(of: field), at: parameter)
    }
  }
}
