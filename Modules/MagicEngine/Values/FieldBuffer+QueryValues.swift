package import MagicRequests

extension FieldBuffer {
  /// Appends a value of a query. An object or a list, which is no value of a column, counts as NULL.
  package func append(_ value: QueryValue) {
    let index = append(1)
    switch value {
    case .null, .object, .list: set(.null, at: index)
    case .integer(let integer): set(.integer(integer), at: index)
    case .real(let real): set(.real(real), at: index)
    case .text(var text): text.withUTF8 { set(copy(text: UnsafeRawBufferPointer($0)), at: index) }
    case .blob(let bytes): bytes.withUnsafeBytes { set(copy(blob: $0), at: index) }
    }
  }
}
