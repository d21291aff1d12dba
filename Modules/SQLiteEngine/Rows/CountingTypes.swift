import MagicSQLite
import MagicSchema
import SQLiteTables

/// The types whose last row has the last z-index given out, so that SQLite's own count, one more
/// than the last row, is right.
///
/// It is known for as long as nobody else writes to the file, from one transaction to the next; in
/// a file with triggers of others, which may delete rows of any type with any write, it never is.
///
/// Types of the same properties may share a table. They are counted together.
package struct CountingTypes {
  private var ordinals: [Bool] = []
  /// By the ordinals of types, that of the first type which was entered for the same table.
  private var firstTypes: [Int] = []
  /// The same by the folded names of tables.
  private var tables: [String: Int] = [:]
  /// Whether the library has made all triggers; nil where nobody has looked.
  private var isAlone: Bool?
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

  func contains(_ schema: ObjectSchema) -> Bool {
    let table = table(of: schema)
    return table < ordinals.count && ordinals[table]
  }

  mutating func insert(_ schema: ObjectSchema) {
    guard isAlone == true else { return }
    let table = table(of: schema)
    while ordinals.count <= table { ordinals.append(false) }
    ordinals[table] = true
  }

  mutating func remove(_ schema: ObjectSchema) {
    let table = table(of: schema)
    if table < ordinals.count { ordinals[table] = false }
  }

  /// Rows of any type may be gone, and triggers made.
  package mutating func removeAll() {
    ordinals.removeAll()
    isAlone = nil
  }

  /// Looks at whose triggers there are, unless that is known.
  mutating func lookForTriggers(_ catalogue: Catalogue) throws(SQLiteError) {
    if isAlone == nil { isAlone = try !catalogue.hasForeignTriggers() }
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
