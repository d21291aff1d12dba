import MagicRuntime

/// The differences between the rows of a table before and after a transaction, by the keys of the
/// rows. A row that was inserted and deleted again is no change, and neither is a value that was set
/// back to its old value.
struct NetChanges<Key: Hashable> {
  struct Row {
    /// The digests of the columns before the transaction; nil if the row did not exist.
    var old: [ValueDigest]?
    /// The digests now. Of a row that did not exist before, only the columns that identify it.
    var new: [ValueDigest]?
  }

  private(set) var rows: [Key: Row] = [:]
  /// The number of digests and rows in memory.
  private(set) var cost = 0

  mutating func remove(_ key: Key, old: () -> [ValueDigest]) {
    if rows[key]?.setNew(nil) != nil { return }
    let digests = old()
    cost += 4 + 2 * digests.count
    rows[key] = Row(old: digests, new: nil)
  }

  /// - Parameters:
  ///   - all: the digests of all columns.
  ///   - identity: the digests of the columns that identify the row.
  mutating func insert(_ key: Key, all: () -> [ValueDigest], identity: () -> [ValueDigest]) {
    if let row = rows[key] {
      rows[key]?.setNew(row.old == nil ? identity() : all())
      return
    }
    let digests = identity()
    cost += 4 + digests.count
    rows[key] = Row(old: nil, new: digests)
  }

  mutating func removeAll() { (rows, cost) = ([:], 0) }
}

extension NetChanges.Row {
  fileprivate mutating func setNew(_ digests: [ValueDigest]?) { new = digests }

  /// Whether the row is another one than before the transaction.
  var isChanged: Bool { old != new }
}
