/// The z-indexes and counted primaries that were given out by what was committed: none comes twice.
struct GivenNumbers {
  private var zIndexes: [String: Set<Int64>] = [:]
  private var ticketNumbers: Set<Int> = []

  mutating func note(firstRows tables: [String]) {
    for table in tables { zIndexes[table] = [1] }
    ticketNumbers = [1]
  }

  /// - Throws: `Finding` where a row has a number that another one had.
  mutating func note(_ world: World, since before: World) throws {
    for (table, rows) in world.rows {
      for zIndex in rows.subtracting(before.rows[table] ?? []) {
        guard zIndexes[table, default: []].insert(zIndex).inserted else {
          throw Finding("z-index \(zIndex) of \(table) was given out twice")
        }
      }
    }
    ticketNumbers.formUnion(world.tickets.values.map(\.number))
  }

  /// Whether a number that the database has counted up to was there before.
  func had(ticket number: Int) -> Bool { ticketNumbers.contains(number) }
}
