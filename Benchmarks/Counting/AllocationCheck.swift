import CAllocations
import CMagicSQLite

/// Whether allocations come by where they are counted, whoever makes them.
package enum AllocationCheck {
  package struct Unseen: Error, CustomStringConvertible {
    let allocator: String
    package var description: String { "what \(allocator) allocates is not counted" }
  }

  /// - Throws: ``Unseen`` where a known number of allocations was not counted.
  package static func run() throws {
    guard swiftAllocations(count: 100) == 100 else { throw Unseen(allocator: "Swift's runtime") }
    // The first call initialises the library.
    sqlite3_initialize()
    guard sqliteAllocations(count: 100) == 100 else { throw Unseen(allocator: "SQLite") }
  }

  /// What is counted while so many objects are made.
  package static func swiftAllocations(count: Int) -> Int {
    var objects: [Object] = []
    objects.reserveCapacity(count)
    let start = Reading.now
    for _ in 0..<count { objects.append(Object()) }
    let end = Reading.now
    return withExtendedLifetime(objects) { (end - start).allocations }
  }

  /// What is counted while SQLite gives so many blocks.
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
