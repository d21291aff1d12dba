package import MagicSQLite
package import MagicSchema
package import SQLiteSearch
import SQLiteTables

extension WriteTransaction: MigrationTransaction {
  package var connection: SQLiteConnection { store.connection }
  package var token: StoreToken { store.token }
  package var arena: ParameterArena { store.arena }
  package var searchIndexes: SearchIndexes { store.searchIndexes }

  package func owner(ofTable table: String) -> ObjectSchema? { store.type(ofTable: table) }

  package func willAlter(tables: [String]) throws {
    store.noteUnreportedChanges()
    try store.hook?.willAlterTables(withJoinTables(tables))
  }

  /// Tables were altered, and the rows of them and their join tables may have changed.
  package func didAlter(tables: [String]) throws {
    try store.hook?.didAlterTables(withJoinTables(tables))
  }

  private func withJoinTables(_ tables: [String]) throws -> Set<String> {
    let catalogue = Catalogue(connection: connection)
    return try tables.reduce(into: []) { try $0.formUnion(self.tables(of: $1, catalogue)) }
  }
}
