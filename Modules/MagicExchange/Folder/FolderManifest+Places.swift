import DatabaseTransfer
import MagicSchema

extension FolderManifest {
  /// The file of rows.
  struct Place {
    let file: String
    /// The number of its lines; nil if it is not checked.
    let count: Int?
    /// The size of its longest line; nil if it is not known.
    let largestLine: Int?
  }

  /// - Throws: `MagicError` with `.database` if the rows are not described.
  func place(of rows: TransferredRows) throws -> Place {
    let table = tables[try index(of: rows)]
    switch rows.content {
    case .objects:
      return Place(file: table.file, count: table.rows, largestLine: table.largestLine)
    case .members(let collection):
      let found = table.collections[try index(of: collection, rows)]
      return Place(file: found.file, count: found.members, largestLine: found.largestLine)
    }
  }

  /// Sets the number of lines of the file of rows, and the size of the longest one.
  mutating func setLines(of rows: TransferredRows, _ count: Int, largest: Int) throws {
    let table = try index(of: rows)
    switch rows.content {
    case .objects: (tables[table].rows, tables[table].largestLine) = (count, largest)
    case .members(let collection):
      let place = try index(of: collection, rows)
      tables[table].collections[place].members = count
      tables[table].collections[place].largestLine = largest
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
