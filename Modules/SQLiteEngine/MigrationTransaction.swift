import MagicFiles
package import MagicSQLite
package import MagicSchema
package import SQLiteSearch

/// The parts of a write transaction that a migration needs.
package protocol MigrationTransaction: AnyObject {
  var connection: SQLiteConnection { get }
  /// Identifies the database in the contents of files.
  var token: StoreToken { get }
  var arena: ParameterArena { get }
  /// The search indexes of the database.
  var searchIndexes: SearchIndexes { get }

  /// Returns the type that is known to use a table.
  func owner(ofTable table: String) -> ObjectSchema?

  /// Tables and their join tables are about to be altered or replaced.
  func willAlter(tables: [String]) throws

  /// Tables were altered, and the rows of them and their join tables may have changed.
  func didAlter(tables: [String]) throws

  /// Returns the name of the file with some content. The file is written first if the database does
  /// not have it.
  func fileName(of content: FileContent) throws -> String

  /// The user's SQL is about to alter a table.
  func willAlterTableByUserSQL() throws

  /// The user's SQL has written.
  func didRunUserSQL() throws

  /// - Throws: `MagicError` with `.untrustedSchema` if the user's SQL has created a trigger that no
  ///   save can run.
  func checkTriggersAreTrusted() throws
}
