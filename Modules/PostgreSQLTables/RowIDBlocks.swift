/// The reserved row IDs of a connection, by the numbers of the tables.
package struct RowIDBlocks {
  private var tables: [Blocks] = []

  private struct Blocks {
    var next: Int64 = 0
    var end: Int64 = 0
    /// The first row IDs of the blocks that follow.
    var later: ArraySlice<Int64> = []
    /// The number of blocks that are reserved next.
    var count: Int64 = 1
  }

  package init() {}

  /// The maximum number of blocks that are reserved at once.
  private static var limit: Int64 { 16 }

  package mutating func next(_ table: Int) -> Int64? {
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
  package func count(_ table: Int) -> Int64 { table < tables.count ? tables[table].count : 1 }

  /// Whether there are reserved row IDs for a number of rows.
  package func has(_ rows: Int, _ table: Int) -> Bool {
    guard table < tables.count else { return rows == 0 }
    let blocks = tables[table]
    return Int64(rows) <= blocks.end - blocks.next
      + Int64(blocks.later.count) * TableDefinition.blockSize
  }

  /// Adds blocks by their first row IDs.
  package mutating func add(_ firsts: [Int64], _ table: Int) {
    while tables.count <= table { tables.append(Blocks()) }
    tables[table].later += firsts
    tables[table].count = min(Self.limit, tables[table].count * 2)
  }

  /// Forgets the blocks, for example those of sequences whose creation was rolled back.
  package mutating func removeAll() { tables = [] }
}
