/// Compiled statements by their SQL; the one used longest ago leaves first.
struct StatementCache {
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0
  private let capacity: Int

  private struct Entry {
    let statement: SQLiteStatement
    var lastUse: UInt64
  }

  init(capacity: Int) {
    self.capacity = capacity
  }

  subscript(sql: String) -> SQLiteStatement? {
    mutating get {
      guard let index = entries.index(forKey: sql) else { return nil }
      clock &+= 1
      entries.values[index].lastUse = clock
      return entries.values[index].statement
    }
    set {
      clock &+= 1
      entries[sql] = newValue.map { Entry(statement: $0, lastUse: clock) }
      guard entries.count > capacity else { return }
      if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        entries.removeValue(forKey: oldest.key)
      }
    }
  }

  mutating func removeAll() {
    entries.removeAll()
  }
}
