import MagicSchema
import MagicSQLite

/// The types whose last row has the last z-index given out, so that SQLite's own count, one more
/// than the last row, is right.
///
/// It is known for as long as nobody else writes to the file, from one transaction to the next.
struct CountingTypes {
  private var ordinals: [Bool] = []
  private var version: UInt32?

  func contains(_ schema: ObjectSchema) -> Bool {
    schema.ordinal < ordinals.count && ordinals[schema.ordinal]
  }

  mutating func insert(_ schema: ObjectSchema) {
    while ordinals.count <= schema.ordinal { ordinals.append(false) }
    ordinals[schema.ordinal] = true
  }

  mutating func remove(_ schema: ObjectSchema) {
    if schema.ordinal < ordinals.count { ordinals[schema.ordinal] = false }
  }

  /// Rows of any type may be gone.
  mutating func removeAll() { ordinals.removeAll() }

  /// A transaction has begun: what is known holds if the file is as the last one left it.
  mutating func begin(on connection: SQLiteConnection) {
    if version == nil || version != connection.dataVersion { ordinals.removeAll() }
    version = nil
  }

  mutating func didCommit(on connection: SQLiteConnection) {
    version = connection.dataVersion
  }
}
