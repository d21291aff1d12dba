import Foundation
package import MagicPostgreSQL
package import MagicSchema
import MagicEngine

extension MagicError {
  /// Creates the error for an error of PostgreSQL.
  package init(_ error: PostgreSQLError, schema: ObjectSchema? = nil) {
    let (code, message) = Self.meaning(of: error)
    self.init(code, message, type: schema?.typeName, cause: error)
  }

  private static func meaning(of error: PostgreSQLError) -> (Code, String) {
    switch error.kind {
    case .libraryMissing: (.cannotOpen, error.message)
    case .cannotConnect: (.cannotOpen, "The database cannot be opened: \(error.message)")
    case .connectionLost:
      (
        .connectionLost,
        "The connection to the database server was lost. The transaction was rolled back. "
          + "Repeat the call: it opens a new connection."
      )
    case .uncertain:
      (
        .uncertain,
        "The commit was not confirmed. Call wasCommitted(_:) with this error, or read the objects, to "
          + "learn whether the changes are stored."
      )
    case .unexpected: (.database, error.message)
    case .misuse: (.closed, "The database was closed.")
    case .cancelled: (.busy, "The call was cancelled.")
    case .refused: refusal(error)
    }
  }

  private static func refusal(_ error: PostgreSQLError) -> (Code, String) {
    switch error.sqlState {
    case "23505": (.notUnique, "Another row has the same value.")
    case "23503":
      (.stillReferenced, Self.stillReferenced(error))
    case "23502": (.constraint, "A column that has no value cannot be NULL.")
    case "22003": (.cannotEncode, "A number is outside the range of its type.")
    case "22021": (.cannotEncode, "A text contains characters that the database cannot store.")
    case "42883" where error.message.range(of: "magic_") != nil:
      (
        .needsMigration,
        "The database lacks functions of this version of the library. Open it once for writing, as a "
          + "user with the right to create functions in its schema."
      )
    case "42704"
    where error.message.range(of: "-x-icu") != nil
      && error.message.range(of: "\"und-x-icu\"") == nil:
      (
        .unsupported,
        "The database server does not have the order of the locale: \(error.message). Name another "
          + "locale, or create the collation in the schema of the tables, as in: "
          + "CREATE COLLATION \"de-x-icu\" (provider = icu, locale = 'de')."
      )
    case "42704" where error.message.range(of: "icu") != nil:
      (.invalidQuery, "The database server was built without ICU, which converts letters.")
    case "53100": (.diskFull, "The disk of the database server is full.")
    case "53200": (.outOfMemory, "The database server ran out of memory.")
    case "53300": (.busy, "The database server accepts no more connections.")
    case "55P03", "40001", "40P01":
      (.busy, "Another transaction has prevented this one. Repeat the call.")
    case "57014": (.busy, "The database server has cancelled the statement, or its time is over.")
    case "25006": (.readOnly, "The database server accepts no writes: it is a standby server.")
    case "25P02":
      (.transactionOver, "The transaction was rolled back after an error. Start a new one.")
    case "42501":
      (.readOnly, "The user of the connection lacks a right in the database: \(error.message).")
    case "54000":
      (.tooBig, "A value exceeds a limit of the database: \(error.message).")
    case "54001", "54011", "54023":
      (.tooBig, "A value or a statement exceeds a limit of the database.")
    case _ where error.sqlClass == "23":
      (.constraint, "A constraint of the table failed: \(error.constraint ?? error.message).")
    default: (.database, "PostgreSQL failed with SQLSTATE \(error.sqlState): \(error.message).")
    }
  }

  private static func stillReferenced(_ error: PostgreSQLError) -> String {
    let referenced = error.referencedRow.map { "row \($0), which" } ?? "an object that"
    return
      "\(error.table.map { "A row of \($0)" } ?? "A row") refers to \(referenced) does not exist or is "
      + "being removed. Nothing was written."
  }

  /// The error for a migration after which a foreign key is violated.
  package static func brokenReferences(
    _ error: PostgreSQLError, _ schema: ObjectSchema?
  ) -> MagicError {
    let table = error.table ?? schema?.tableName ?? ""
    return MagicError(
      .brokenReference,
      "Broken references in table \(table): rows refer to rows that do not exist. Nothing was changed.",
      type: schema?.typeName, cause: error)
  }

  /// The error for a call that the engine does not implement.
  package static func unsupported(_ what: String, _ schema: ObjectSchema? = nil) -> MagicError {
    MagicError(
      .invalidOption, "Databases of PostgreSQL do not support \(what) yet.", type: schema?.typeName)
  }
}
