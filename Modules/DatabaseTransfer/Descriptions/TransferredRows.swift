package import MagicSchema

/// Rows that are transferred in one sequence: those of a table, or the join rows of a collection.
package struct TransferredRows {
  package enum Content {
    case objects
    case members(TransferredCollection)
  }

  package let table: TransferredTable
  package let content: Content

  package init(_ table: TransferredTable, _ content: Content) {
    self.table = table
    self.content = content
  }

  /// All rows of tables.
  package static func all(_ tables: [TransferredTable]) -> [TransferredRows] {
    tables.map { TransferredRows($0, .objects) }
      + tables.flatMap { table in
        table.collections.map { TransferredRows(table, .members($0)) }
      }
  }

  /// The names of the columns. The first one is the row ID, or that of the owner.
  package var names: [String] {
    switch content {
    case .objects: [TransferredTable.rowID] + table.columns.map(\.name)
    case .members(let collection):
      ["owner"] + (collection.keyColumn.map { [$0] } ?? []) + ["target"]
    }
  }

  package var kinds: [TransferredKind] {
    switch content {
    case .objects: [.integer] + table.columns.map(\.kind)
    case .members(let collection):
      [.integer] + (collection.keyColumn == nil ? [] : [collection.keys]) + [.integer]
    }
  }

  /// What the rows are, for messages.
  package var description: String {
    switch content {
    case .objects: table.name
    case .members(let collection): "\(table.name).\(collection.property)"
    }
  }

  /// The error of a value that the other database cannot have.
  package func error(_ column: Int, _ reason: String, _ row: TransferredValue?) -> MagicError {
    var place = ""
    if case .integer(let rowID) = row { place = " in the row \(rowID)" }
    return MagicError(
      .cannotEncode, "A value\(place) cannot be copied: \(reason).", type: description,
      property: names[column])
  }
}
