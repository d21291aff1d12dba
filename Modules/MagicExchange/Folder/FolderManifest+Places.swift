import DatabaseTransfer
import MagicSchema

extension FolderManifest {
  /// Returns the file of rows, and the number of its lines; nil if this is not checked.
  ///
  /// - Throws: `MagicError` with `.database` if the rows are not described.
  func place(of rows: TransferredRows) throws -> (file: String, count: Int?) {
    let table = tables[try index(of: rows)]
    switch rows.content {
    case .objects: return (table.file, table.rows)
    case .members(let collection):
      let found = table.collections[try index(of: collection, rows)]
      return (found.file, found.members)
    }
  }

  /// Sets the number of lines of the file of rows.
  mutating func setCount(of rows: TransferredRows, _ count: Int) throws {
    let table = try index(of: rows)
    switch rows.content {
    case .objects: tables[table].rows = count
    case .members(let collection):
      tables[table].collections[try index(of: collection, rows)].members = count
    }
  }

  private func index(of rows: TransferredRows) throws -> Int {
    guard let index = tables.firstIndex(where: { $0.name.isName(rows.table.name) }) else {
      throw undescribed(rows)
    }
    return index
  }

  private func index(of collection: TransferredCollection, _ rows: TransferredRows) throws -> Int {
    let all = tables[try index(of: rows)].collections
    guard let index = all.firstIndex(where: { $0.property.isName(collection.property) }) else {
      throw undescribed(rows)
    }
    return index
  }

  private func undescribed(_ rows: TransferredRows) -> MagicError {
    MagicError(.database, "The rows are not described.", type: rows.description)
  }
}
