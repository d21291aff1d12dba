import PostgreSQLTables

/// The reserved row IDs of a connection, by the numbers of the tables.
struct RowIDBlocks {
  private var tables: [Blocks] = []

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

  mutating func next(_ table: Int) -> Int64? {
    guard table < tables.count else { return nil }
    if tables[table].next == tables[table].end {
      guard let first = tables[table].later.popFirst() else { return nil }
      tables[table].next = first
      tables[table].end = first + TableDefinition.blockSize
    }
    defer { tables[table].next += 1 }
    return tables[table].next
  }

  /// The number of blocks to reserve: more after each reservation, so that many new rows need few of
  /// them.
  func count(_ table: Int) -> Int64 { table < tables.count ? tables[table].count : 1 }

  /// Adds blocks by their first row IDs.
  mutating func add(_ firsts: [Int64], _ table: Int) {
    while tables.count <= table { tables.append(Blocks()) }
    tables[table].later += firsts
    tables[table].count = min(Self.limit, tables[table].count * 2)
  }

  /// Forgets the blocks, for example those of sequences whose creation was rolled back.
  mutating func removeAll() { tables = [] }
}
