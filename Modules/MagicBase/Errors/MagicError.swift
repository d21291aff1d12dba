public import Foundation

/// An error of the library: a code for programs, a message for people, and the underlying error.
///
/// ```swift
/// do {
///   _ = try await magic.object(of: Person.self, primary: "unknown")
/// } catch let error as MagicError where error.code == .notFound {
///   print(error)  // notFound: There is no such object. [Person]
/// }
/// ```
///
/// An error contains no values of the user's data. It identifies a row by its row ID.
public struct MagicError: Error, Sendable {
  /// The kind of the error.
  public let code: Code
  /// The message for people.
  public let message: String
  /// The object type that the error concerns.
  public let type: String?
  /// The property that the error concerns.
  public let property: String?
  /// The underlying error of a lower layer.
  public let cause: (any Error)?
  /// The migration that was refused. Only errors with the code ``MagicError/Code/needsMigration``
  /// contain a plan.
  public let plan: MagicMigrationPlan?
  /// The row and the two versions. Only errors with the code ``MagicError/Code/conflict`` contain
  /// them.
  public let conflict: MagicConflict?

  package init(
    _ code: Code, _ message: String, type: String? = nil, property: String? = nil,
    cause: (any Error)? = nil, plan: MagicMigrationPlan? = nil,
    conflict: MagicConflict? = nil
  ) {
    self.code = code
    self.message = message
    self.type = type
    self.property = property
    self.cause = cause
    self.plan = plan
    self.conflict = conflict
  }
}

extension MagicError {
  /// The kind of an error. New versions of the library may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The object does not exist.
    public static let notFound = Code("notFound")
    /// The object is not in this database.
    public static let notSaved = Code("notSaved")
    /// A property has no value.
    public static let missingValue = Code("missingValue")
    /// The type has no `@PrimaryMagicValue`.
    public static let missingPrimary = Code("missingPrimary")
    /// A property of the object is being changed in place, so the object cannot be saved; or the
    /// database was called from inside an in-place change of a property.
    public static let changeInProgress = Code("changeInProgress")
    /// The type of the value differs from the type of the property.
    public static let wrongType = Code("wrongType")
    /// A value cannot be stored, for example NaN.
    public static let cannotEncode = Code("cannotEncode")
    /// A stored value is not valid for the type of the property.
    public static let cannotDecode = Code("cannotDecode")
    /// The type cannot be stored as it is declared.
    public static let invalidSchema = Code("invalidSchema")
    /// Two types use the same table.
    public static let tableConflict = Code("tableConflict")
    /// The schema of the table differs from the type, and migrating it needs a decision. The error
    /// contains the ``MagicError/plan``.
    public static let needsMigration = Code("needsMigration")
    /// The table was migrated to a newer version of its type.
    public static let newerSchema = Code("newerSchema")
    /// The migration steps of the type contradict each other.
    public static let invalidMigration = Code("invalidMigration")
    /// A migration step of the type failed. The database is unchanged.
    public static let migrationFailed = Code("migrationFailed")
    /// Another row has the same value in a unique column or index.
    public static let notUnique = Code("notUnique")
    /// The object was changed in the database since it was fetched or saved, so its ``MagicVersion``
    /// is outdated. The error contains the ``MagicError/conflict``. On a database server also: a trigger
    /// has inserted or deleted the row of a new object while it was being saved.
    public static let conflict = Code("conflict")
    /// The object cannot be removed: another object refers to it through a relationship whose
    /// delete rule is ``MagicDeleteRule/deny``.
    public static let stillReferenced = Code("stillReferenced")
    /// A row refers to a row that does not exist.
    public static let brokenReference = Code("brokenReference")
    /// A constraint of the table failed, or a trigger prevented the change.
    public static let constraint = Code("constraint")
    /// A trigger or view in the database file does something that an untrusted schema may not do,
    /// for example writing to a table of certain modules.
    public static let untrustedSchema = Code("untrustedSchema")
    /// No row ID, auto-increment value or position in a list is left to assign.
    public static let idsExhausted = Code("idsExhausted")
    /// The text or blob exceeds the size limit of the database.
    public static let tooBig = Code("tooBig")
    /// The database is closed.
    public static let closed = Code("closed")
    /// The database was opened before this process was forked. It belongs to the parent process.
    public static let forked = Code("forked")
    /// The database is suspended, and must be resumed before it is used.
    public static let suspended = Code("suspended")
    /// Another process kept the database locked for longer than the busy timeout.
    public static let busy = Code("busy")
    /// The file system does not support locks. Without locks, two connections could corrupt the
    /// file.
    public static let noLocks = Code("noLocks")
    /// The database is read-only.
    public static let readOnly = Code("readOnly")
    /// The disk is full. The transaction was rolled back.
    public static let diskFull = Code("diskFull")
    /// The file system reported an error. The transaction was rolled back.
    public static let inputOutput = Code("inputOutput")
    /// Memory ran out. The transaction was rolled back.
    public static let outOfMemory = Code("outOfMemory")
    /// The file is damaged. Its intact parts can be read, and writes are refused until it is opened
    /// again.
    public static let corrupt = Code("corrupt")
    /// The file is not a database.
    public static let notADatabase = Code("notADatabase")
    /// The file cannot be opened, or the database server cannot be reached.
    public static let cannotOpen = Code("cannotOpen")
    /// A file already exists at the path. The library does not replace it.
    public static let fileExists = Code("fileExists")
    /// The file is empty although other files of the database show that it contained data, or its
    /// write-ahead log is missing or damaged, so that the last commits are lost.
    public static let lostDatabase = Code("lostDatabase")
    /// A newer version of this library wrote the file.
    public static let newerFormat = Code("newerFormat")
    /// The file or its write-ahead log was moved, deleted, replaced or truncated while the database
    /// was open.
    public static let fileMoved = Code("fileMoved")
    /// An option has an invalid value, or the options contradict each other.
    public static let invalidOption = Code("invalidOption")
    /// The database was called from a closure or conversion that one of its own calls runs.
    public static let nestedCall = Code("nestedCall")
    /// A transaction or snapshot was used after its end, or after an error that ended it.
    public static let transactionOver = Code("transactionOver")
    /// A snapshot was open for too long and was revoked, so that the write-ahead log could be
    /// emptied.
    public static let snapshotTooOld = Code("snapshotTooOld")
    /// The file of an asset does not exist, or something else exists at its path.
    public static let assetMissing = Code("assetMissing")
    /// A query or SQL statement is invalid, or may not run in this context.
    public static let invalidQuery = Code("invalidQuery")
    /// The kind of database cannot do what was asked for.
    public static let unsupported = Code("unsupported")
    /// The database library that the process uses is older than MagicData supports, or was built
    /// without a part that is needed: support for threads, or full-text search.
    public static let unsupportedSQLite = Code("unsupportedSQLite")
    /// The connection to the database server was lost. The transaction was rolled back.
    public static let connectionLost = Code("connectionLost")
    /// The connection to the database server was lost during a commit, or a commit was not confirmed
    /// by a standby server. The changes may or may not be in the database.
    public static let uncertain = Code("uncertain")
    /// The database engine failed in another way. The cause contains its error.
    public static let database = Code("database")
  }
}

extension MagicError: CustomStringConvertible {
  /// The code, the message, the type and the property.
  public var description: String {
    let subject = [type, property].compactMap { $0 }.joined(separator: ".")
    let suffix = subject.isEmpty ? "" : " [\(subject)]"
    return "\(code): \(message)\(suffix)"
  }
}

/// `localizedDescription` is the message for people, in English.
extension MagicError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
