package import MagicEngine
import MagicFiles
import MagicMigration
import MagicSQLite
package import MagicSchema
import SQLiteChanges
package import SQLiteEngine
import SQLiteFiles
import SQLiteMigration
import SQLiteQueries
import SQLiteSearch
import SQLiteTables

// The types that implement the engine's protocols.

extension StoreConnection: EngineReader {
  package func migrationPlan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan {
    for schema in schemas { _ = try schema.reach }
    return try connection.snapshot {
      try MigrationPlanner(connection).plan(for: schemas).summary
    }
  }
}

extension StoreConnection {
  package func textSplitter(of schema: ObjectSchema) throws -> any TextSplitter {
    guard let search = schema.search else { throw MagicError.nothingSearchable(schema) }
    return try translatingErrors { try SearchSplitters.splitter(of: search) }
  }
}

extension WriteTransaction: EngineTransaction {
  package var reader: any EngineReader { store }
}

extension SharedStore: EngineDatabase {
  package var assets: (any AssetStore)? { files.folder }

  package var isReadOnly: Bool { writer == nil }
}
