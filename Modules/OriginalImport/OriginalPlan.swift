import DatabaseTransfer
import MagicSQLite
package import MagicSchema
import SQLiteTables

/// What the import of a database of the original MagicData would do.
package struct OriginalPlan: Sendable {
  package struct TypeSummary: Sendable {
    package let type: String
    /// The table; nil for a type that is empty, because the file has no table of it.
    package let table: String?
    package let rows: Int
    /// The imported properties with their columns.
    package let properties: [(name: String, column: String)]
  }

  package let summaries: [TypeSummary]
  /// The tables and columns that no type has.
  package let losses: [String]
  /// The number of optional assets whose files are missing.
  package let missingAssets: Int

  /// Reads the plan of a file. All values are read and converted, as by the import.
  ///
  /// - Throws: what the import would throw, except for losses, and for values that a unique index refuses.
  package init(path: String, types: [any MagicObject.Type]) throws {
    let source = try OriginalSource(path: path, types: types, allowsLoss: true)
    defer { source.close() }
    for rows in TransferredRows.all(try source.tables()) {
      try source.forEachRow(of: rows) { _ in }
    }
    losses = source.losses
    summaries = try source.types.map { type in
      guard let table = type.table else {
        return TypeSummary(type: type.schema.typeName, table: nil, rows: 0, properties: [])
      }
      return TypeSummary(
        type: type.schema.typeName, table: table, rows: try Self.count("*", table, source.file),
        properties: type.columns.map { ($0.schema.property, $0.name) }
          + type.collections.map { ($0.schema.property, $0.name) })
    }
    let named = try source.assetColumns.reduce(0) { count, column in
      count + (try Self.count(column.name.quoted, column.table, source.file))
    }
    missingAssets = named - (try source.assets().count)
  }

  private static func count(
    _ expression: String, _ table: String, _ file: OriginalFile
  ) throws -> Int {
    try translatingErrors {
      Int(
        try file.connection.integer("SELECT count(\(expression)) FROM \(table.quoted)") ?? 0)
    }
  }
}

/// Finds databases of the original MagicData.
package enum OriginalSearch {
  /// Whether a file is one. False for a file that cannot be read.
  package static func isOriginal(_ path: String) -> Bool {
    guard let file = try? OriginalFile(path: path) else { return false }
    file.database.close()
    return true
  }
}
