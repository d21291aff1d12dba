import MagicFiles
package import MagicSQLite
package import MagicSchema

/// What a migration needs of the transaction that it runs in.
package protocol MigrationTransaction: AnyObject {
  var connection: SQLiteConnection { get }
  /// Identifies the database in contents of files.
  var token: StoreToken { get }
  var arena: ParameterArena { get }

  /// The type that a table is known to belong to.
  func owner(ofTable table: String) -> ObjectSchema?

  /// Tables, with their join tables, are about to be altered or replaced.
  func willAlter(tables: [String]) throws

  /// The name of content's file, which is written where the database has none yet.
  func fileName(of content: FileContent) throws -> String

  /// SQL of the user's is about to alter a table.
  func prepareForForeignAlteration() throws

  /// SQL of the user's has written.
  func noteForeignChanges() throws

  /// - Throws: `MagicError` with `.untrustedSchema` where SQL of the user's has created a trigger that
  ///   no save could run.
  func refuseUntrustedTriggers() throws
}
