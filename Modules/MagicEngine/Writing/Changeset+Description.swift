import MagicSchema

extension Changeset: CustomStringConvertible {
  /// One line for each row, with its values. Only for tests: errors and logs must not contain
  /// values.
  @usableFromInline package var description: String {
    groups.flatMap { group in
      group.rows.map { row in
        let name = "\(group.operation) \(group.schema.typeName) \(rowIDs[row])"
        let columns = columns(of: group)
        guard !columns.isEmpty else { return name }
        let first = group.field(ofRow: row)
        let texts = columns.enumerated().map { place, column in
          "\(group.schema.columns[column].name): \(text(of: values[first + place]))"
        }
        return "\(name) (\(texts.joined(separator: ", ")))"
      }
    }.joined(separator: "\n")
  }

  /// The columns of a group's fields.
  private func columns(of group: RowChanges) -> [Int] {
    switch group.operation {
    case .update: group.columns.indices
    case .delete: group.schema.version.map { [$0] } ?? []
    case .insert, .insertNew, .upsert, .require: Array(0..<group.columnCount)
    }
  }

  private func text(of field: Field) -> String {
    switch field.kind {
    case .null: "NULL"
    case .integer: "\(field.integer)"
    case .real: "\(field.real)"
    case .text: "'\(String(decoding: values.bytes(of: field), as: UTF8.self))'"
    case .largeText: "'\(String(decoding: values.largeBytes(of: field), as: UTF8.self))'"
    case .blob: "\(values.bytes(of: field).count) bytes"
    case .largeBlob: "\(values.largeBytes(of: field).count) bytes"
    case .file: values.file(of: field) == nil ? "no file" : "file"
    }
  }
}
