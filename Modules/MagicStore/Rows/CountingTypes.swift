import MagicSchema
import MagicSQLite

/// The types whose last row has the last z-index given out, so that SQLite's own count, one more
/// than the last row, is right.
///
/// It is known for as long as nobody else writes to the file, from one transaction to the next; in
/// a file with triggers of others, which may delete rows of any type with any write, it never is.
struct CountingTypes {
  private var ordinals: [Bool] = []
  /// Whether the library has made all triggers; nil where nobody has looked.
  private var isAlone: Bool?
  private var version: UInt32?

  func contains(_ schema: ObjectSchema) -> Bool {
    schema.ordinal < ordinals.count && ordinals[schema.ordinal]
  }

  mutating func insert(_ schema: ObjectSchema) {
    guard isAlone == true else { return }
    while ordinals.count <= schema.ordinal { ordinals.append(false) }
    ordinals[schema.ordinal] = true
  }

  mutating func remove(_ schema: ObjectSchema) {
    if schema.ordinal < ordinals.count { ordinals[schema.ordinal] = false }
  }

  /// Rows of any type may be gone, and triggers made.
  mutating func removeAll() {
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
  mutating func begin(_ current: UInt32?) -> Bool {
    defer { version = nil }
    guard version == nil || version != current else { return false }
    removeAll()
    return true
  }

  /// The transaction was committed, and has left a version of the file.
  mutating func didCommit(_ version: UInt32?) { self.version = version }
}
