import MagicSQLite

/// Why a file, or something in it, cannot be shown. The message is a sentence for the user, and
/// contains no values of the file.
public struct InspectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of the error, for programs.
  public enum Kind: String, Sendable {
    /// There is no such file.
    case missingFile
    /// The file is not an SQLite database, or not one of MagicData.
    case notADatabase
    /// The file is damaged.
    case damaged
    /// The file has a format that is newer than this program.
    case newerFormat
    /// The file has no such type, property, index or object.
    case notFound
    /// The input is invalid: SQL, a filter, a value.
    case invalidInput
    /// The call would change the file or a setting.
    case notReadOnly
    /// The limit of time, rows or bytes is exceeded.
    case limit
    /// Another process holds a lock.
    case busy
    /// A process was killed during a transaction. Opening the file for writing rolls it back, which
    /// a reader cannot do.
    case unfinished
    /// The file cannot be read for another reason.
    case unreadable
  }

  /// The kind of the error.
  public let kind: Kind
  /// What is wrong, of what, and what to do.
  public let description: String

  /// Creates an error.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// Describes an error of SQLite.
  init(_ error: SQLiteError) {
    switch error.code {
    case .notADatabase:
      self.init(.notADatabase, "The file is not an SQLite database.")
    case .corrupt:
      self.init(.damaged, "The file is damaged: \(error.message).")
    case .interrupted:
      self.init(.limit, "The time limit is exceeded.")
    case .tooBig:
      self.init(.limit, "A value is larger than the size limit.")
    case .busy, .locked:
      self.init(.busy, "Another process holds a lock on the file. Try again later.")
    case .unauthorized:
      self.init(
        .notReadOnly,
        "This SQL is not permitted: only statements that read are, and no PRAGMA, ATTACH or transaction."
      )
    // A journal or a log that must be recovered.
    case .readOnly where [264, 776].contains(error.extendedCode):
      self.init(
        .unfinished,
        "A process was killed while it wrote. Open the file with a program that writes, which "
          + "restores the last commit.")
    case .readOnly:
      self.init(.notReadOnly, "This SQL changes the database, which is open for reading.")
    case .error, .misuse, .range, .mismatch:
      self.init(.invalidInput, "SQLite refuses the statement: \(error.message).")
    default:
      self.init(.unreadable, "The file cannot be read: \(error.message).")
    }
  }
}
