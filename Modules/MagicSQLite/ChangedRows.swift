import CMagicSQLite

/// The rows that a transaction has updated or deleted, as SQLite's update hook reports them: also
/// those that triggers and foreign keys change.
///
/// SQLite does not report all changes. The caller therefore calls ``markIncomplete()`` before a
/// statement that may delete all rows of a table, replace rows, change row IDs, or change the
/// schema. Inserted rows are not recorded.
package final class ChangedRows {
  /// The hashes of the changed rows, see ``hash(_:_:)``.
  package private(set) var hashes: [UInt64] = []
  /// Whether ``hashes`` contains all changed rows.
  package private(set) var isComplete = true
  /// Whether the transaction was committed, and has written to the log.
  package private(set) var isWritten = false
  /// Whether a transaction is recorded.
  package private(set) var hasBegun = false
  private var isRecording = false
  // The table whose row has changed last. Its address is valid until the schema changes.
  private var lastTable: UnsafePointer<CChar>?
  private var lastHash: UInt64 = 0

  /// The maximum number of rows that are recorded.
  private static let limit = 1024

  /// Begins to record a new transaction.
  package func begin() {
    hashes.removeAll(keepingCapacity: true)
    (isComplete, isWritten) = (true, false)
    (hasBegun, isRecording) = (true, true)
    lastTable = nil
  }

  func noteCommit() { isWritten = hasBegun }

  package func end() { (hasBegun, isRecording) = (false, false) }

  /// Records that rows may have changed that SQLite does not report.
  package func markIncomplete() {
    isComplete = false
    isRecording = false
  }

  @inline(__always)
  func note(_ operation: Int32, _ table: UnsafePointer<CChar>, _ rowID: Int64) {
    guard isRecording, operation != SQLITE_INSERT else { return }
    if table != lastTable {
      lastTable = table
      lastHash = Self.hash(UnsafeRawBufferPointer(start: table, count: strlen(table)))
    }
    guard hashes.count < Self.limit else { return markIncomplete() }
    hashes.append(Self.hash(lastHash, rowID))
  }

  /// The hash of a table's name, in which ASCII letters of both cases are equal.
  package static func hash(ofTable name: String) -> UInt64 {
    var name = name
    return name.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of a row, from the hash of its table.
  package static func hash(_ table: UInt64, _ rowID: Int64) -> UInt64 {
    var hash = (table ^ UInt64(bitPattern: rowID)) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
    return hash
  }

  // FNV-1a.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1 | 0x20)) &* 0x100_0000_01B3 }
  }
}
