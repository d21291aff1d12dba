/// The row IDs and auto-increment primaries that commits have assigned. None is assigned twice.
struct AssignedNumbers {
  private var zIndexes: [String: Set<Int64>] = [:]
  private var ticketNumbers: Set<Int> = []

  mutating func note(firstRows tables: [String]) {
    for table in tables { zIndexes[table] = [1] }
    ticketNumbers.insert(1)
  }

  /// - Throws: `Finding` if a row has the row ID of an earlier row.
  mutating func note(_ world: World, since before: World) throws {
    for (table, rows) in world.rows {
      for zIndex in rows.subtracting(before.rows[table] ?? []) {
        guard zIndexes[table, default: []].insert(zIndex).inserted else {
          throw Finding("row ID \(zIndex) of \(table) was assigned twice")
        }
      }
    }
    ticketNumbers.formUnion(world.tickets.values.map(\.number))
  }

  /// Whether an auto-increment primary has been assigned before.
  func had(ticket number: Int) -> Bool { ticketNumbers.contains(number) }
}
