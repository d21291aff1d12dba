package import DatabaseTransfer
import MagicExchange

/// Where a database is: in a file of SQLite, or in a folder of text files to which it was exported. The
/// product MagicDataPostgres adds `postgres(_:schema:)`, the tables on a server. A copy can also come from a
/// store of Core Data or SwiftData, or from a database of the original MagicData.
public struct MagicDatabaseLocation: Sendable {
  /// Checks what can be checked before a database is opened.
  package let check: @Sendable () throws -> Void
  /// Opens the database to read it.
  package let makeSource: @Sendable () throws -> any TransferSource
  /// Creates the database.
  package let makeTarget: @Sendable () throws -> any TransferTarget

  package init(
    check: @escaping @Sendable () throws -> Void = {},
    source: @escaping @Sendable () throws -> any TransferSource,
    target: @escaping @Sendable () throws -> any TransferTarget
  ) {
    (self.check, makeSource, makeTarget) = (check, source, target)
  }

  /// A database file, at a path.
  public static func file(_ path: String) -> MagicDatabaseLocation {
    MagicDatabaseLocation(source: { try SQLiteSource(path: path) }) {
      try SQLiteTarget(path: path)
    }
  }

  /// A folder, at a path, with a file of JSON lines for each type and each collection, the files of the
  /// assets, and the description `database.json`. The article <doc:ExportAndImport> has the format.
  public static func folder(_ path: String) -> MagicDatabaseLocation {
    MagicDatabaseLocation(source: { try FolderSource(path: path) }) {
      try FolderTarget(path: path)
    }
  }

  /// A new folder, at a path, with a file of CSV for each type and each collection, and the files of the
  /// assets. It is only the destination of a copy.
  public static func csv(_ path: String) -> MagicDatabaseLocation { text(path, .csv) }

  /// A new folder, at a path, with the SQL that creates the tables and rows in SQLite, `database.sql`, and
  /// the files of the assets. It is only the destination of a copy.
  public static func sql(_ path: String) -> MagicDatabaseLocation { text(path, .sql) }

  private static func text(_ path: String, _ format: TextTarget.Format) -> MagicDatabaseLocation {
    MagicDatabaseLocation(source: { throw TextTarget.unreadable() }) {
      try TextTarget(path: path, format)
    }
  }
}
