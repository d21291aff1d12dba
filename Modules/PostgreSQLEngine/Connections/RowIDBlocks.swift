import PostgreSQLTables

/// The reserved row IDs of a connection, by the ordinals of the types.
struct RowIDBlocks {
  private var next: [Int64] = []
  private var ends: [Int64] = []

  mutating func next(_ ordinal: Int) -> Int64? {
    guard ordinal < next.count, next[ordinal] < ends[ordinal] else { return nil }
    defer { next[ordinal] += 1 }
    return next[ordinal]
  }

  /// Begins a block, and returns its first row ID.
  mutating func begin(at first: Int64, _ ordinal: Int) -> Int64 {
    while next.count <= ordinal {
      next.append(0)
      ends.append(0)
    }
    next[ordinal] = first + 1
    ends[ordinal] = first + TableDefinition.blockSize
    return first
  }

  /// Forgets the blocks, for example those of sequences whose creation was rolled back.
  mutating func removeAll() { (next, ends) = ([], []) }
}
