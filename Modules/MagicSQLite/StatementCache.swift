/// A cache of compiled statements by a key, for example their SQL. The least recently used
/// statement is removed first.
package struct StatementCache<Key: Hashable> {
  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0
  private let capacity: Int

  private struct Entry {
    let statement: SQLiteStatement
    var lastUse: UInt64
  }

  package init(capacity: Int) {
    self.capacity = capacity
  }

  package subscript(key: Key) -> SQLiteStatement? {
    mutating get {
      guard let index = entries.index(forKey: key) else { return nil }
      clock &+= 1
      entries.values[index].lastUse = clock
      return entries.values[index].statement
    }
    set {
      clock &+= 1
      entries[key] = newValue.map { Entry(statement: $0, lastUse: clock) }
      guard entries.count > capacity else { return }
      if let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        entries.removeValue(forKey: oldest.key)
      }
    }
  }

  package mutating func removeAll() {
    entries.removeAll()
  }
}
