import MagicEngine
import PostgreSQLSearch

extension MagicFinding {
  /// The finding of a fault of a search index.
  init(_ fault: StoredSearch.Fault, type: String?, table: String) {
    switch fault {
    case .wrongRow(let row):
      self.init(
        .wrongSearchIndex, "The search index does not have the texts of the row.", type: type,
        table: table, row: row)
    case .wrongTotals:
      self.init(
        .wrongSearchIndex, "The numbers of rows and words of the search index are wrong.",
        type: type,
        table: table)
    case .missingTrigger(let name):
      self.init(
        .missingTrigger,
        "The trigger \(name), which notes changed rows for the search index, is missing or disabled.",
        type: type, table: table)
    case .unreadable:
      self.init(
        .wrongSearchIndex, "The tables of the search index are missing or changed.", type: type,
        table: table)
    case .unsupported(let message):
      self.init(
        .uncheckedSearchIndex,
        "The search index was not checked, because this SQLite lacks a part of it: \(message).",
        type: type, table: table)
    }
  }
}
