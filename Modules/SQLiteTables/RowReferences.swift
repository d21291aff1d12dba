import MagicSQLite
import MagicSchema

/// The columns of a file that contain row IDs of the rows of some tables: to-one relationships,
/// join rows, owners of list members, and foreign keys of tables that the library did not create.
package struct RowReferences {
  /// Each table with its columns.
  package private(set) var all: [(table: String, columns: [String])] = []

  /// Finds the references to the rows of tables of types.
  package init(to targets: [String], _ catalogue: Catalogue) throws {
    func isTarget(_ table: String) -> Bool { targets.contains { $0.isName(table) } }
    var links: [String] = []
    for relationship in try catalogue.relationships() {
      if let owned = relationship.ownedColumns {
        if isTarget(owned.ownerTable), try catalogue.hasColumns(owned) {
          add(owned.owner, of: owned.table)
        }
        continue
      }
      guard let link = relationship.linkTable else {
        if isTarget(relationship.target), try catalogue.exists(relationship.owner) {
          add(relationship.column, of: relationship.owner)
        }
        continue
      }
      guard try catalogue.exists(link) else { continue }
      links.append(link)
      if isTarget(relationship.owner) { add("owner", of: link) }
      if isTarget(relationship.target) { add("target", of: link) }
    }
    try addForeignKeys(to: isTarget, except: catalogue.typeTables() + links, catalogue.connection)
  }

  /// Returns the columns of a table.
  package func columns(of table: String) -> [String] {
    all.first { $0.table.isName(table) }?.columns ?? []
  }

  private mutating func add(_ column: String, of table: String) {
    if let place = all.firstIndex(where: { $0.table.isName(table) }) {
      all[place].columns.append(column)
    } else {
      all.append((table, [column]))
    }
  }

  /// Adds the foreign keys of tables that the library did not create.
  private mutating func addForeignKeys(
    to isTarget: (String) -> Bool, except known: [String], _ connection: SQLiteConnection
  ) throws {
    let statement = try connection.prepare(
      """
      SELECT m."name", k."from", k."table" FROM sqlite_master AS m, \
      pragma_foreign_key_list(m."name") AS k \
      WHERE m."type" = 'table' AND (k."to" IS NULL OR k."to" = 'z_index' COLLATE NOCASE)
      """)
    defer { statement.reset() }
    while try statement.step() {
      let (table, column) = (statement.column(0).text, statement.column(1).text)
      guard !known.contains(where: { $0.isName(table) }), isTarget(statement.column(2).text)
      else { continue }
      add(column, of: table)
    }
  }
}
