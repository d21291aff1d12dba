import CMemory
import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// If SQLite's request for memory is refused, the call throws, stores nothing in part, and succeeds
/// once there is memory again. Each test runs in a new process, in which SQLite has not been used
/// before.
@Suite struct MemoryTests {
  @Test(arguments: Scenario.all.indices)
  func nothingIsStoredInPart(_ index: Int) async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [index] in
      try #require(cmemory_install() == 0)
      let limit = Effort("MEMORY", rounds: 8, long: 25).rounds
      try withTemporaryDirectory { directory in
        var sweep = try Sweep(Scenario.all[index], limit: limit, in: directory)
        try sweep.run()
        print("Out of memory while \(sweep.text)")
        for finding in sweep.findings { print("found: \(finding)") }
        #expect(sweep.points >= min(limit, sweep.requestCount))
        #expect(sweep.errors >= sweep.points / 2)
      }
    }
    let lines = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      .split(separator: "\n")
    print(lines.first { $0.hasPrefix("Out of memory") } ?? "")
    #expect(lines.filter { $0.hasPrefix("found: ") } == [])
  }

  /// Changed properties remain marked as changed after a failed save.
  @Test func objectsStayMarkedAsChanged() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      try withTemporaryDirectory { directory in
        let path = directory.appendingPathComponent("test.sqlite3").path
        try Samples.make(at: path)
        let store = try MagicObjectStore.open(.file(path))
        defer { store.close() }
        let shelf = try store.object(of: Shelf.self, primary: "a")
        shelf.books[0].title = "changed"
        let new = Book(500)
        shelf.books.append(new)
        var failures = 0
        for position in 1... {
          cmemory_fail(position, true)
          let result = Result { try store.update(shelf) }
          cmemory_heal()
          guard case .failure(let error) = result else { break }
          failures += 1
          #expect((error as? MagicError)?.code == .outOfMemory)
          #expect(new.zIndex == nil)
          #expect(try store.query(Book.self).where(\.$title == "changed").count() == 0)
        }
        #expect(failures > 20)
        #expect(new.zIndex != nil)
        let stored = try store.object(of: Shelf.self, primary: "a")
        #expect(stored.books.map(\.title) == ["changed", "book 2", "book 3", "book 4", "book 500"])
      }
    }
  }

  /// A control: an allocator that refuses nothing causes no errors, which the sweep detects.
  @Test func anAllocatorThatRefusesNothingIsFound() async {
    await #expect(processExitsWith: .success) {
      try #require(cmemory_install() == 0)
      cmemory_disarm()
      try withTemporaryDirectory { directory in
        var sweep = try Sweep(Scenario.all[1], limit: 5, in: directory)
        try sweep.run()
        #expect(sweep.errors == 0)
        #expect(sweep.points >= 5)
      }
    }
  }
}

extension Sweep {
  var text: String { "\(scenario.name): \(points) requests refused, \(errors) errors" }
}
