import MagicSQLite
import MagicSchema
import SQLiteTables

/// The last row ID that was given out, by table.
///
/// It is known for as long as no other connection writes to the file, from one transaction to the
/// next. In a file with triggers of users, which may insert rows of any type with any write, it never
/// is.
///
/// Types of the same properties may share a table. They have one sequence.
package struct RowIDSequences {
  private var last: [Int64?] = []
  /// The row ID of the table's last row, where that is known.
  private var ends: [Int64?] = []
  /// By the ordinals of types, that of the first type which was entered for the same table.
  private var firstTypes: [Int] = []
  /// The same by the folded names of tables.
  private var tables: [String: Int] = [:]
  /// Whether users have made triggers; nil where that was not read.
  private(set) var hasUserTriggers: Bool?
  private var version: UInt32?

  /// A type is used.
  mutating func enter(_ schema: ObjectSchema) {
    let first = tables[schema.tableName.folded] ?? schema.ordinal
    tables[schema.tableName.folded] = first
    while firstTypes.count <= schema.ordinal { firstTypes.append(firstTypes.count) }
    firstTypes[schema.ordinal] = first
  }

  /// What the table of a type is counted under: one number for all types that share it.
  func table(of schema: ObjectSchema) -> Int {
    schema.ordinal < firstTypes.count ? firstTypes[schema.ordinal] : schema.ordinal
  }

  /// The last row ID of a table; nil where it must be read.
  func last(ofTable table: Int) -> Int64? { table < last.count ? last[table] : nil }

  mutating func set(_ rowID: Int64, ofTable table: Int) {
    guard hasUserTriggers == false else { return }
    while last.count <= table { last.append(nil) }
    last[table] = rowID
  }

  /// Whether SQLite itself would give a new row this ID: one more than the table's last row has. To
  /// leave it to SQLite saves a search for the ID.
  func isNext(_ rowID: Int64, inTable table: Int) -> Bool {
    table < ends.count && ends[table] == rowID &- 1
  }

  /// The last row that a table was read to have.
  mutating func setEnd(_ rowID: Int64, ofTable table: Int) {
    guard hasUserTriggers == false else { return }
    while ends.count <= table { ends.append(nil) }
    ends[table] = rowID
  }

  /// A row was inserted. It is the last one where its ID was the last that was given out; one whose ID
  /// was reserved ahead may come behind another.
  mutating func noteInserted(_ rowID: Int64, inTable table: Int) {
    guard table < ends.count else {
      if last(ofTable: table) == rowID { setEnd(rowID, ofTable: table) }
      return
    }
    if let end = ends[table] {
      if rowID > end { ends[table] = rowID }
    } else if last(ofTable: table) == rowID {
      ends[table] = rowID
    }
  }

  /// Rows were deleted, maybe the last ones.
  mutating func forgetEnds() {
    if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
  }

  /// A row ID was not used. It is given out again where it was the last.
  mutating func release(_ rowID: Int64, ofTable table: Int) {
    if last(ofTable: table) == rowID { last[table] = rowID - 1 }
  }

  /// Rows of any type may have been written, and triggers created.
  package mutating func removeAll() {
    last.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hasUserTriggers = nil
  }

  /// Reads whether users have made triggers, unless that is known.
  mutating func readTriggers(_ catalogue: Catalogue) throws(SQLiteError) -> Bool {
    if let hasUserTriggers { return hasUserTriggers }
    let found = try catalogue.hasForeignTriggers()
    hasUserTriggers = found
    return found
  }

  /// A transaction has begun: what is known holds if the file is as the last one left it.
  ///
  /// - Parameter current: the file's version, as the connection sees it.
  /// - Returns: whether it may not be.
  package mutating func forgetIfChanged(_ current: UInt32?) -> Bool {
    defer { version = nil }
    guard version == nil || version != current else { return false }
    removeAll()
    return true
  }

  /// The transaction was committed, and has left a version of the file.
  package mutating func didCommit(_ version: UInt32?) { self.version = version }
}
