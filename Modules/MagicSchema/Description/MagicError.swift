/// What went wrong, in one sentence, with a code to act on and the cause below it.
///
/// Values that users store never appear in it; a row is named by its z-index.
public struct MagicError: Error, Sendable {
  /// What kind of failure it is.
  public let code: Code
  /// A sentence for people.
  public let message: String
  /// The object type it concerns.
  public let type: String?
  /// The property it concerns.
  public let property: String?
  /// The error of a lower layer that caused it.
  public let cause: (any Error)?
  /// What would bring the tables to their shape, where that was refused.
  public let plan: MagicMigrationPlan?

  package init(
    _ code: Code, _ message: String, type: String? = nil, property: String? = nil,
    cause: (any Error)? = nil, plan: MagicMigrationPlan? = nil
  ) {
    self.code = code
    self.message = message
    self.type = type
    self.property = property
    self.cause = cause
    self.plan = plan
  }
}

extension MagicError {
  /// What kind of failure an error is. New kinds may come with new versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// There is no such object.
    public static let notFound = Code("notFound")
    /// The object is not in this database.
    public static let notSaved = Code("notSaved")
    /// A property has no value.
    public static let missingValue = Code("missingValue")
    /// The type has no `@PrimaryMagicValue`.
    public static let missingPrimary = Code("missingPrimary")
    /// The task that saves the object is changing one of its properties in place, and the change has
    /// not ended.
    public static let changeInProgress = Code("changeInProgress")
    /// The value is of another type than the property.
    public static let wrongType = Code("wrongType")
    /// A value has no stored form, as NaN has none.
    public static let cannotEncode = Code("cannotEncode")
    /// What is stored is no value of the property's type.
    public static let cannotDecode = Code("cannotDecode")
    /// The type cannot be stored as it is declared.
    public static let invalidSchema = Code("invalidSchema")
    /// Two types claim one table.
    public static let tableConflict = Code("tableConflict")
    /// The table is of another shape than the type, and cannot be changed without a decision. The
    /// error has the ``MagicError/plan``.
    public static let needsMigration = Code("needsMigration")
    /// The table was brought to a newer version of its type.
    public static let newerSchema = Code("newerSchema")
    /// The type's migrations contradict each other.
    public static let invalidMigration = Code("invalidMigration")
    /// A step of the type's migrations failed. Nothing was changed.
    public static let migrationFailed = Code("migrationFailed")
    /// Another row has the same unique value.
    public static let notUnique = Code("notUnique")
    /// The object is still a part of another, whose delete rule denies its removal.
    public static let stillReferenced = Code("stillReferenced")
    /// A row refers to another that is not there.
    public static let brokenReference = Code("brokenReference")
    /// A rule of the table is broken.
    public static let constraint = Code("constraint")
    /// A trigger or view of the file does what the schema of a file is not trusted with, as writing to
    /// a table of some modules.
    public static let untrustedSchema = Code("untrustedSchema")
    /// The last number for a row is taken.
    public static let idsExhausted = Code("idsExhausted")
    /// The text or blob is larger than the database stores.
    public static let tooBig = Code("tooBig")
    /// The database was closed.
    public static let closed = Code("closed")
    /// The database was opened before this process was forked: it belongs to the parent.
    public static let forked = Code("forked")
    /// The database is suspended, until it is resumed.
    public static let suspended = Code("suspended")
    /// Another process kept the database locked for longer than the busy timeout.
    public static let busy = Code("busy")
    /// The file system grants no locks, without which two connections would damage the file.
    public static let noLocks = Code("noLocks")
    /// The database may not be written.
    public static let readOnly = Code("readOnly")
    /// The disk is full. Nothing of the transaction is stored.
    public static let diskFull = Code("diskFull")
    /// The file system failed. Nothing of the transaction is stored.
    public static let inputOutput = Code("inputOutput")
    /// Memory ran out. Nothing of the transaction is stored.
    public static let outOfMemory = Code("outOfMemory")
    /// The file is damaged. What is whole of it is read, and nothing is written until it is opened
    /// again.
    public static let corrupt = Code("corrupt")
    /// The file is no database.
    public static let notADatabase = Code("notADatabase")
    /// The file cannot be opened.
    public static let cannotOpen = Code("cannotOpen")
    /// A file is there already, and is not replaced.
    public static let fileExists = Code("fileExists")
    /// The file is empty, yet what lies beside it says that it held data; or its write-ahead log is
    /// missing or damaged, and with it the last saves.
    public static let lostDatabase = Code("lostDatabase")
    /// The file was written by a newer version of this library.
    public static let newerFormat = Code("newerFormat")
    /// The file or its write-ahead log was moved, deleted, replaced or emptied while it was open.
    public static let fileMoved = Code("fileMoved")
    /// The options of the opener contradict each other.
    public static let invalidOption = Code("invalidOption")
    /// A closure or conversion that the database called has called the database.
    public static let nestedCall = Code("nestedCall")
    /// What was asked of a transaction or a snapshot came after its end, or after an error that
    /// ended it.
    public static let transactionOver = Code("transactionOver")
    /// A snapshot was kept open for so long that it was taken away: what was written meanwhile could
    /// not leave the write-ahead log.
    public static let snapshotTooOld = Code("snapshotTooOld")
    /// The file of an asset is not there, or something else lies in its place.
    public static let assetMissing = Code("assetMissing")
    /// A query or SQL statement that makes no sense, or may not run where it was asked for.
    public static let invalidQuery = Code("invalidQuery")
    /// The system's database library is older than MagicData supports, or was built without threads.
    public static let unsupportedSQLite = Code("unsupportedSQLite")
    /// The database engine failed in another way; the cause says how.
    public static let database = Code("database")
  }
}

extension MagicError: CustomStringConvertible {
  /// Code, sentence, type and property.
  public var description: String {
    let subject = [type, property].compactMap { $0 }.joined(separator: ".")
    let place = subject.isEmpty ? "" : " [\(subject)]"
    return "\(code): \(message)\(place)"
  }
}
