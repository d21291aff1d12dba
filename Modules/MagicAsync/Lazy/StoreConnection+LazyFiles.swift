import MagicSQLite
import MagicSchema
import MagicStore

extension StoreConnection {
  /// What a row's column of files has now.
  ///
  /// - Returns: nil where the row is gone or the column is NULL, and within it nil for a value
  ///   without content.
  func file(of row: LazyRow) throws -> FileContent?? {
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
