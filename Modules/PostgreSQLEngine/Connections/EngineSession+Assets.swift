import MagicEngine
import MagicFiles
package import MagicSchema
import PostgreSQLFiles
import PostgreSQLTables

extension EngineSession {
  /// Stores the assets of rows, and replaces them by their names. This precedes the encoding of the
  /// rows, because it runs statements.
  func storeAssets(of group: RowChanges, _ changes: Changeset) throws {
    let schema = group.schema
    let columns: [Int]
    switch group.operation {
    case .insert, .insertNew, .upsert: columns = Array(schema.columns.indices)
    case .update: columns = Array(group.columns.indices)
    case .require, .delete: return
    }
    for (place, column) in columns.enumerated() where schema.columns[column].isFile {
      for row in group.rows {
        let index = group.field(ofRow: row) + place
        let field = changes.values[index]
        guard field.kind == .file else { continue }
        var name =
          try changes.values.file(of: field).map {
            try assetName(of: $0, schema.columns[column], schema)
          } ?? ""
        name.withUTF8 {
          changes.values.set(changes.values.copy(text: UnsafeRawBufferPointer($0)), at: index)
        }
      }
    }
  }

  /// Returns the name of the asset with some content, which is stored first if that is necessary.
  package func assetName(
    of content: FileContent, _ column: ColumnSchema?, _ schema: ObjectSchema
  ) throws -> String {
    guard let column else { return try translatingFileErrors { try assets.name(of: content) } }
    return try namingProperty(schema, column) { try assets.name(of: content) }
  }

  private func translatingFileErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileError {
      throw MagicError(error)
    }
  }
}
