import MagicSQLite
import MagicSchema
import SQLiteTables

/// The last row ID that was reserved in each table.
///
/// The values are valid from one transaction to the next, as long as no other connection writes to
/// the file. In a file with triggers of users, which may insert rows of any type with any write,
/// the values are never kept.
///
/// Types with the same properties may share a table, and then share one sequence.
package struct RowIDSequences {
  private var last: [Int64?] = []
  /// The row ID of each table's last row, where it is known.
  private var ends: [Int64?] = []
  /// For the ordinal of each type, the ordinal of the first type that uses the same table.
  private var firstTypes: [Int] = []
  /// The same by the folded names of tables.
  private var tables: [String: Int] = [:]
  /// Whether users have created triggers; nil if that was not read.
  private(set) var hasUserTriggers: Bool?
  /// The row IDs that the file gives to new rows; nil if that was not read.
  private var range: RowIDRange?
  /// The highest row ID that the file may give to a row.
  private(set) var limit = Int64.max
  private var version: UInt32?

  /// Adds a type that is used.
  mutating func enter(_ schema: ObjectSchema) {
    let first = tables[schema.tableName.folded] ?? schema.ordinal
    tables[schema.tableName.folded] = first
    while firstTypes.count <= schema.ordinal { firstTypes.append(firstTypes.count) }
    firstTypes[schema.ordinal] = first
  }

  /// Returns the ID of a type's table in this structure. All types that share a table have the same
  /// ID.
  func table(of schema: ObjectSchema) -> Int {
    schema.ordinal < firstTypes.count ? firstTypes[schema.ordinal] : schema.ordinal
  }

  /// Returns the last reserved row ID of a table; nil if it must be read from the table.
  func last(ofTable table: Int) -> Int64? { table < last.count ? last[table] : nil }

  mutating func set(_ rowID: Int64, ofTable table: Int) {
    guard hasUserTriggers == false else { return }
    while last.count <= table { last.append(nil) }
    last[table] = rowID
  }

  /// A row was inserted under a row ID that the program has chosen. Row IDs outside of the file's
  /// range do not count.
  mutating func raise(to rowID: Int64, ofTable table: Int) {
    guard let last = last(ofTable: table), rowID > last, rowID <= limit else { return }
    self.last[table] = rowID
  }

  /// Whether SQLite itself would give this row ID to a new row, because it is one more than the
  /// last row's. Leaving the row ID to SQLite saves a search.
  func isNext(_ rowID: Int64, inTable table: Int) -> Bool {
    table < ends.count && ends[table] == rowID &- 1
  }

  /// Sets the row ID of a table's last row, as it was read. The last row of a shared file may be
  /// another store's.
  mutating func setEnd(_ rowID: Int64, ofTable table: Int) {
    guard hasUserTriggers == false, range == .unshared else { return }
    while ends.count <= table { ends.append(nil) }
    ends[table] = rowID
  }

  /// A row was inserted. It is the table's last row if its row ID was the last reserved one. A row
  /// ID that was reserved ahead may be lower than that of another inserted row.
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

  /// Rows were deleted, possibly the last ones.
  mutating func forgetEnds() {
    if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
  }

  /// A reserved row ID was not used. It is reserved again if it was the last one.
  mutating func release(_ rowID: Int64, ofTable table: Int) {
    if last(ofTable: table) == rowID { last[table] = rowID - 1 }
  }

  /// Removes all values, because rows of any type may have been written and triggers created.
  package mutating func removeAll() {
    last.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hasUserTriggers = nil
    range = nil
    limit = .max
  }

  /// Returns the row IDs that the file gives to new rows, and reads them if they are not known.
  mutating func readRange(_ catalogue: Catalogue) throws(SQLiteError) -> RowIDRange {
    if let range { return range }
    let found = try catalogue.rowIDRange()
    range = found
    limit = found.last
    return found
  }

  /// Returns whether users have created triggers, and reads it if it is not known.
  mutating func readTriggers(_ catalogue: Catalogue) throws(SQLiteError) -> Bool {
    if let hasUserTriggers { return hasUserTriggers }
    let found = try catalogue.hasUserTriggers()
    hasUserTriggers = found
    return found
  }

  /// A transaction has begun. The values are valid if the file has not changed since the last
  /// transaction.
  ///
  /// - Parameter current: the data version of the file for this connection.
  /// - Returns: whether the file may have changed.
  package mutating func forgetIfChanged(_ current: UInt32?) -> Bool {
    defer { version = nil }
    guard version == nil || version != current else { return false }
    removeAll()
    return true
  }

  /// The transaction was committed with this data version.
  package mutating func didCommit(_ version: UInt32?) { self.version = version }
}
