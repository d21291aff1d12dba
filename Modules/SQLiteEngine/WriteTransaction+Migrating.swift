package import MagicSQLite
package import MagicSchema
import SQLiteTables

extension WriteTransaction: MigrationTransaction {
  package var connection: SQLiteConnection { store.connection }
  package var token: StoreToken { store.token }
  package var arena: ParameterArena { store.arena }

  package func owner(ofTable table: String) -> ObjectSchema? { store.type(ofTable: table) }

  package func willAlter(tables: [String]) throws {
    guard let hook = store.hook else { return }
    let catalogue = Catalogue(connection: connection)
    try hook.willAlterTables(
      tables.reduce(into: []) { try $0.formUnion(self.tables(of: $1, catalogue)) })
  }
}
