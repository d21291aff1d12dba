import CAllocations

/// The values of the counters, or their increase.
package struct Reading: Codable, Equatable, Sendable {
  package var allocations = 0
  package var allocated = 0
  package var live = 0
  package var statements = 0
  package var rows = 0

  package static var now: Reading {
    let allocations = magic_allocations_so_far()
    return Reading(
      allocations: Int(allocations.count), allocated: Int(allocations.bytes),
      live: Int(allocations.live), statements: StatementCounter.statements,
      rows: StatementCounter.rows)
  }

  package static func - (end: Reading, start: Reading) -> Reading {
    Reading(
      allocations: end.allocations - start.allocations,
      allocated: end.allocated - start.allocated, live: end.live - start.live,
      statements: end.statements - start.statements, rows: end.rows - start.rows)
  }
}
