import DatabaseTransfer
import MagicSchema

/// Files of CSV: one for each table and each collection, with the names of the columns in the first line.
final class CSVFormat: TextFormat {
  private let folder: NewFolder
  /// The names of the files of tables, and of their collections.
  private var tables: [String: String] = [:]
  private var collections: [String: [String: String]] = [:]
  private var current: (file: NewFile, fields: [CSVField])?

  init(_ folder: NewFolder) { self.folder = folder }

  func create(_ tables: [TransferredTable]) throws {
    var names = FileNames(pathExtension: ".csv")
    for table in tables {
      self.tables[table.name] = names.name(for: table.name)
      for collection in table.collections {
        collections[table.name, default: [:]][collection.property] = names.name(
          for: "\(table.name).\(collection.property)")
      }
    }
  }

  func insert(_ values: [TransferredValue], into rows: TransferredRows) throws {
    let (file, fields) = try begin(rows)
    for (index, value) in values.enumerated() {
      if index > 0 { file.bytes.append(UInt8(ascii: ",")) }
      guard fields[index].write(value, to: &file.bytes) else {
        throw rows.error(
          index, "its text is not valid UTF-8, which CSV cannot contain", values.first)
      }
    }
    file.bytes.append(UInt8(ascii: "\n"))
    try file.didAppend()
  }

  /// Creates the file of rows, unless it exists.
  private func begin(_ rows: TransferredRows) throws -> (file: NewFile, fields: [CSVField]) {
    if let current { return current }
    let name: String? =
      switch rows.content {
      case .objects: tables[rows.table.name]
      case .members(let collection): collections[rows.table.name]?[collection.property]
      }
    guard let name else {
      throw MagicError(.database, "The rows are not described.", type: rows.description)
    }
    let file = try folder.create(name)
    for (index, name) in CSVField.names(of: rows).enumerated() {
      if index > 0 { file.bytes.append(UInt8(ascii: ",")) }
      CSVField.write(text: Array(name.utf8), to: &file.bytes)
    }
    file.bytes.append(UInt8(ascii: "\n"))
    let new = (file, CSVField.all(of: rows))
    current = new
    return new
  }

  func finish(_ rows: TransferredRows) throws {
    try begin(rows).file.finish()
    current = nil
  }

  func complete(_ tables: [TransferredTable]) throws {}

  func close() {
    current?.file.close()
    current = nil
  }
}
