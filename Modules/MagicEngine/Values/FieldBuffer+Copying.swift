extension FieldBuffer {
  /// Appends copies of rows of another buffer.
  package func append(_ rows: FieldRows) {
    let count = rows.count * rows.width
    let first = append(count)
    for index in 0..<count { set(copy(rows.values, index), at: first + index) }
  }

  private func copy(_ other: FieldBuffer, _ index: Int) -> Field {
    let field = other[index]
    return switch field.kind {
    case .text, .largeText: copy(text: FieldReader(other, field).bytes)
    case .blob, .largeBlob: copy(blob: FieldReader(other, field).bytes)
    case .null, .integer, .real, .file: field
    }
  }
}
