import CAllocations
import CMagicSQLite

/// Checks that all allocations are counted.
package enum AllocationCheck {
  package struct Unseen: Error, CustomStringConvertible {
    let allocator: String
    package var description: String { "what \(allocator) allocates is not counted" }
  }

  /// - Throws: ``Unseen`` if a known number of allocations was not counted.
  package static func run() throws {
    guard swiftAllocations(count: 100) == 100 else { throw Unseen(allocator: "Swift's runtime") }
    // The first call of SQLite initializes it.
    sqlite3_initialize()
    guard sqliteAllocations(count: 100) == 100 else { throw Unseen(allocator: "SQLite") }
  }

  /// The counted allocations while Swift objects are created.
  package static func swiftAllocations(count: Int) -> Int {
    var objects: [Object] = []
    objects.reserveCapacity(count)
    let start = Reading.now
    for _ in 0..<count { objects.append(Object()) }
    let end = Reading.now
    return withExtendedLifetime(objects) { (end - start).allocations }
  }

  /// The counted allocations while SQLite allocates blocks.
  package static func sqliteAllocations(count: Int) -> Int {
    var blocks: [UnsafeMutableRawPointer?] = []
    blocks.reserveCapacity(count)
    let start = Reading.now
    for _ in 0..<count { blocks.append(sqlite3_malloc(64)) }
    let end = Reading.now
    for block in blocks { sqlite3_free(block) }
    return (end - start).allocations
  }

  private final class Object {}
}
