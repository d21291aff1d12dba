import MagicSQLite
import MagicSchema

extension WriteTransaction: MigrationTransaction {
  var connection: SQLiteConnection { store.connection }
  var token: StoreToken { store.token }
  var arena: ParameterArena { store.arena }

  func owner(ofTable table: String) -> ObjectSchema? { store.type(ofTable: table) }

  func willAlter(tables: [String]) throws {
    guard let hook = store.hook else { return }
    let catalogue = Catalogue(connection: connection)
    try hook.willAlterTables(
      tables.reduce(into: []) { try $0.formUnion(self.tables(of: $1, catalogue)) })
  }
}
