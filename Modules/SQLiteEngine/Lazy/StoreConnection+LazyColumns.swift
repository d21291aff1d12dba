package import MagicEngine
import MagicSQLite
package import MagicSchema
import SQLiteTables

extension StoreConnection {
  /// The object that a row's to-one refers to, with all that is fetched with it; nil where the row does
  /// not exist or refers to none.
  package func target<Model: MagicObject>(
    of row: LazyRow, as type: Model.Type
  ) throws -> Model? {
    try inSnapshot {
      guard let statements = try statements(of: row.owner) else { return nil }
      let select = try statements.selectTarget(along: row.slot)
      try select.bind(row.zIndex, at: 1)
      defer { select.reset() }
      guard try select.step(), !select.column(0).isNull else { return nil }
      guard let target = select.column(0).rowKey else {
        throw MagicError.brokenReference(
          from: row.zIndex, of: row.owner, row.owner.columns[row.slot], to: nil)
      }
      select.reset()
      return try objects(of: type, ObjectSchema.of(type), at: [target])[0]
    }
  }

  /// The file that a row's column names.
  ///
  /// - Returns: nil where the row does not exist or the column is NULL, and within it nil for a value
  ///   without content.
  package func file(of row: LazyRow) throws -> FileContent?? {
    guard let statements = try statements(of: row.owner) else { return nil }
    let select = try statements.selectTarget(along: row.slot)
    defer { select.reset() }
    try select.bind(row.zIndex, at: 1)
    guard try select.step(), !select.column(0).isNull else { return nil }
    guard case let name = select.column(0).text, !name.isEmpty else { return .some(nil) }
    return FileContent(
      at: FileContent.Place(store: row.identity.store, name: name), of: (row.owner, row.slot))
  }
}
