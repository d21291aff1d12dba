import MagicEngine
import MagicFiles
package import MagicSQLite
package import MagicSchema
import Magical

extension MagicError {
  /// Returns the same error with the path of the file.
  package func naming(_ path: String) -> MagicError {
    MagicError(code, "\(message) Path: \(path).", type: type, property: property, cause: cause)
  }

  /// Creates the error for an error of SQLite.
  package init(_ error: SQLiteError, schema: ObjectSchema? = nil) {
    let (code, message) = Self.meaning(of: error)
    let property = code == .notUnique ? schema?.property(namedIn: error) : nil
    self.init(code, message, type: schema?.typeName, property: property, cause: error)
  }

  private static func meaning(of error: SQLiteError) -> (Code, String) {
    switch error.code {
    case _ where error.grantsNoLocks:
      (.noLocks, "\(noLocksMessage): \(error.message).")
    case .busy, .locked:
      (.busy, "Another process kept the database locked for longer than the busy timeout.")
    case .full: (.diskFull, diskFullMessage)
    // The file of the log index could not be extended to its required size.
    case .inputOutput where error.extendedCode >> 8 == 19:
      (.diskFull, diskFullMessage)
    case .inputOutput: (.inputOutput, "The file system reported an error: \(error.message).")
    case .outOfMemory: (.outOfMemory, "SQLite ran out of memory.")
    case .corrupt: (.corrupt, "The database file is damaged.")
    case .notADatabase: (.notADatabase, "Not a database: the file header is invalid.")
    case .cannotOpen: (.cannotOpen, "The database file cannot be opened: \(error.message).")
    case .readOnly where error.extendedCode >> 8 == 4: (.fileMoved, fileMovedMessage)
    case .readOnly: (.readOnly, "The database is read-only.")
    case .tooBig: (.tooBig, "A text or blob is larger than the database can store.")
    case .constraint: constraint(error)
    case .misuse where error == .closed(sql: error.sql): closed().codeAndMessage
    case .misuse where error == .forked(): forked().codeAndMessage
    case .misuse where error == .suspended(): suspended().codeAndMessage
    case .misuse where error == SQLiteLibrary.current.refusal:
      (.unsupportedSQLite, "\(error.message).")
    case .error where error.isUntrustedSchemaError:
      (
        .untrustedSchema,
        "A trigger or view does something that an untrusted schema may not do: \(error.message). "
          + "Drop it, and run the same SQL in the transaction that saves."
      )
    case .error where error.message == "integer overflow":
      (.cannotEncode, "A computed number is outside the range of its type.")
    case .error where error.lacksSearch:
      (
        .unsupportedSQLite,
        "This SQLite lacks a part that searches need: \(error.message)."
      )
    case .error where error.lacksLocalizedCollation:
      (
        .needsMigration,
        "The indexes of the database have the order of another version of the system, and must be built "
          + "again: open the database for writing once. \(error.message)."
      )
    case .error where error.readsOutdatedIndex:
      (
        .needsMigration,
        "The statement reads an index that has the order of another version of the system and could "
          + "not be built again. Free space on the disk, or change equal rows of a unique index. Then "
          + "call repair(). \(error.message)."
      )
    case .error where error.message == "LIKE or GLOB pattern too complex":
      (.invalidQuery, "The pattern of like is too long.")
    default: (.database, "SQLite failed: \(error.message).")
    }
  }

  private var codeAndMessage: (Code, String) { (code, message) }

  private static func constraint(_ error: SQLiteError) -> (Code, String) {
    switch error.extendedCode >> 8 {
    case 6, 8, 10: (.notUnique, "Another row has the same value: \(error.message).")
    case 7 where error.message == AssetTriggers.refusal:
      (.assetMissing, "A row refers to a file that the database does not have.")
    case 7 where OwnedColumns.list(namedIn: error) != nil:
      (.stillReferenced, stillOwned(OwnedColumns.list(namedIn: error) ?? ""))
    default: (.constraint, "Constraint failed: \(error.message).")
    }
  }

  private static func stillOwned(_ list: String) -> String {
    "The object cannot be removed: the list \(list) of another object contains it. Take it out of "
      + "the list first, or remove its owner first. Nothing was removed."
  }

  /// Returns the error for a member that an owned list does not permit to remove.
  package static func stillOwned(
    by list: OwnedColumns, type: String, property: String, cause: SQLiteError
  ) -> MagicError {
    MagicError(
      .stillReferenced, stillOwned("\(list.ownerTable).\(list.property)"), type: type,
      property: property, cause: cause)
  }

  /// SQLite has rolled back the transaction before its end.
  package static func rolledBack(by cause: SQLiteError?) -> MagicError {
    MagicError(
      .transactionOver, "An earlier error has rolled the transaction back.", cause: cause)
  }

  /// The error for the caller of the transaction: if this error is of a later call, the error that
  /// ended the transaction.
  package var causeOfRollback: MagicError {
    guard code == .transactionOver, let cause = cause as? SQLiteError else { return self }
    return MagicError(cause)
  }

  package static func fileMoved() -> MagicError { MagicError(.fileMoved, fileMovedMessage) }

  private static let diskFullMessage =
    "The disk is full. Nothing of the transaction was stored. Removing objects also needs space in "
    + "the write-ahead log. If there is none, delete other files from the disk."

  private static let fileMovedMessage =
    "The database file or its write-ahead log was moved, deleted, replaced or truncated while the "
    + "database was open. Nothing was written. Close the database. If only the log was moved or "
    + "deleted, the database file then contains all saved data. Otherwise restore the files. Then "
    + "open the database again."
}

/// Runs the body, and translates errors of SQLite and of files into a `MagicError`.
@inlinable
package func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch {
    throw translated(error)
  }
}

/// Runs the body, and translates errors into a `MagicError` that names a type.
package func translatingErrors<Result>(
  _ schema: ObjectSchema, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch {
    throw translated(error, schema)
  }
}

@usableFromInline
package func translated(_ error: any Error) -> any Error { translated(error, nil) }

private func translated(_ error: any Error, _ schema: ObjectSchema?) -> any Error {
  if let error = error as? SQLiteError { return MagicError(error, schema: schema) }
  if let error = error as? FileError { return MagicError(error, schema: schema) }
  return error
}

extension ObjectSchema {
  /// Returns the property of the column in a message of SQLite like "UNIQUE constraint failed:
  /// Person.email"; nil if the message names several columns.
  fileprivate func property(namedIn error: SQLiteError) -> String? {
    columns.first { error.message.hasSuffix(": \(tableName).\($0.name)") }?.property
  }
}

package func translatingErrorsAsync<Result>(_ body: () async throws -> Result) async throws
  -> Result
{
  do {
    return try await body()
  } catch let error as SQLiteError {
    throw MagicError(error)
  }
}

extension SQLiteError {
  /// Whether this SQLite was built without full-text search, or without a tokenizer.
  package var lacksSearch: Bool {
    message == "no such module: fts5" || message == "no such function: fts5"
      || message.hasPrefix("no such tokenizer: ")
  }
}
