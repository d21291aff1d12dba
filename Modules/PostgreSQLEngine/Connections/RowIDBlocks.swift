import PostgreSQLTables

/// The reserved row IDs of a connection, by the ordinals of the types.
struct RowIDBlocks {
  private var types: [Blocks] = []

  private struct Blocks {
    var next: Int64 = 0
    var end: Int64 = 0
    /// The first row IDs of the blocks that follow.
    var later: ArraySlice<Int64> = []
    /// The number of blocks that are reserved next.
    var count: Int64 = 1
  }

  /// The maximum number of blocks that are reserved at once.
  private static var limit: Int64 { 16 }

  mutating func next(_ ordinal: Int) -> Int64? {
    guard ordinal < types.count else { return nil }
    if types[ordinal].next == types[ordinal].end {
      guard let first = types[ordinal].later.popFirst() else { return nil }
      types[ordinal].next = first
      types[ordinal].end = first + TableDefinition.blockSize
    }
    defer { types[ordinal].next += 1 }
    return types[ordinal].next
  }

  /// The number of blocks to reserve: more after each reservation, so that many new rows need few of
  /// them.
  func count(_ ordinal: Int) -> Int64 { ordinal < types.count ? types[ordinal].count : 1 }

  /// Adds blocks by their first row IDs.
  mutating func add(_ firsts: [Int64], _ ordinal: Int) {
    while types.count <= ordinal { types.append(Blocks()) }
    types[ordinal].later += firsts
    types[ordinal].count = min(Self.limit, types[ordinal].count * 2)
  }

  /// Forgets the blocks, for example those of sequences whose creation was rolled back.
  mutating func removeAll() { types = [] }
}
