import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Lookups by primary in tasks, of rows that are in memory.
@Suite struct CachedLookUpTests {
  let scratch = Scratch()

  /// A database with a person whose row is in memory.
  private func filled(_ options: MagicOptions = MagicOptions()) async throws -> MagicData {
    let magic = try await MagicData(path: scratch.file(), options: options)
    try await magic.update(Person(id: "a", name: "Ada"))
    try await lookUpUntilCached(magic)
    return magic
  }

  private func lookUpUntilCached(_ magic: MagicData) async throws {
    let before = magic.cacheStatistics.hits
    for _ in 0..<10 where magic.cacheStatistics.hits == before {
      _ = try await magic.object(of: Person.self, primary: "a")
    }
    #expect(magic.cacheStatistics.hits > before)
  }

  @Test func aRowInMemoryIsFoundWithoutSQL() async throws {
    let statements = Recorder<String>()
    var options = MagicOptions()
    options.trace = { statements.note($0) }
    let magic = try await filled(options)
    statements.clear()
    for _ in 0..<5 {
      #expect(try await magic.object(of: Person.self, primary: "a").name == "Ada")
      #expect(try await magic.has(of: Person.self, primary: "a"))
      #expect(try await magic.query(Person.self).where(\.$id == "a").first()?.name == "Ada")
    }
    #expect(statements.all == [])
    await magic.close()
  }

  /// The threads on which statements that read people run.
  private nonisolated(nonsending) func threads(
    of body: nonisolated(nonsending) (MagicData) async throws -> Void
  ) async throws -> [Bool] {
    let isMain = Recorder<Bool>()
    var options = MagicOptions()
    options.trace = { if $0.hasPrefix("SELECT") { isMain.note(Thread.isMainThread) } }
    let magic = try await filled(options)
    // Rows that were saved before are not in memory, and neither is the result of SQL.
    try await magic.update(contentsOf: (0..<8).map { Person(id: "new \($0)", name: "Grace") })
    try await magic.sql("UPDATE Person SET name = 'Ada'").run()
    isMain.clear()
    try await body(magic)
    await magic.close()
    return isMain.all
  }

  private nonisolated(nonsending) func lookUpEight(_ magic: MagicData) async throws {
    for number in 0..<4 {
      let person = try await magic.object(of: Person.self, primary: "new \(number)")
      #expect(person.name == "Ada")
      #expect(try await magic.has(of: Person.self, primary: "new \(number + 4)"))
    }
  }

  @MainActor @Test func aRowThatIsNotInMemoryIsReadOutsideOfTheMainThread() async throws {
    let areMain = try await threads(of: lookUpEight)
    #expect(areMain == Array(repeating: false, count: 8))
  }

  @Test func aRowThatIsNotInMemoryIsReadByOneStatement() async throws {
    let areMain = try await threads(of: lookUpEight)
    #expect(areMain.count == 8)
  }

  @Test func aRowThatDoesNotExistIsReadByOneStatement() async throws {
    let areMain = try await threads { magic in
      await #expect { try await magic.object(of: Person.self, primary: "none") } throws: {
        ($0 as? MagicError)?.code == .notFound
      }
      let exists = try await magic.has(of: Person.self, primary: "none")
      #expect(!exists)
    }
    #expect(areMain.count == 2)
  }

  @MainActor @Test func theMainActorSeesSavesOfOthers() async throws {
    let magic = try await filled()
    for number in 0..<50 {
      let name = "name \(number)"
      try await Task.detached { _ = try await magic.update(Person(id: "a", name: name)) }.value
      #expect(try await magic.object(of: Person.self, primary: "a").name == name)
      #expect(try await magic.query(Person.self).where(\.$id == "a").first()?.name == name)
      #expect(try await magic.has(of: Person.self, primary: "a"))
    }
    let person = try await magic.object(of: Person.self, primary: "a")
    try await Task.detached { try await magic.remove(person) }.value
    #expect(try await !magic.has(of: Person.self, primary: "a"))
    #expect(try await magic.query(Person.self).where(\.$id == "a").first() == nil)
    await magic.close()
  }

  /// The lookups that use the rows in memory.
  private enum Lookup: CaseIterable {
    case fetching, asking, querying

    func callAsFunction(_ magic: MagicData) async throws {
      switch self {
      case .fetching: _ = try await magic.object(of: Person.self, primary: "a")
      case .asking: _ = try await magic.has(of: Person.self, primary: "a")
      case .querying: _ = try await magic.query(Person.self).where(\.$id == "a").first()
      }
    }
  }

  @Test(arguments: Lookup.allCases)
  private func aCancelledTaskGetsNoRow(_ lookUp: Lookup) async throws {
    let magic = try await filled()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await lookUp(magic)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await magic.close()
  }

  @Test(arguments: Lookup.allCases)
  private func aClosedOrSuspendedDatabaseReturnsNoRow(_ lookUp: Lookup) async throws {
    let magic = try await filled()
    await magic.suspend()
    await #expect { try await lookUp(magic) } throws: {
      ($0 as? MagicError)?.code == .suspended
    }
    magic.resume()
    try await lookUpUntilCached(magic)
    await magic.close()
    await #expect { try await lookUp(magic) } throws: {
      ($0 as? MagicError)?.code == .closed
    }
  }

  @Test func aDatabaseThatIsOnlyReadHasRowsInMemory() async throws {
    let writer = try await filled()
    await writer.close()
    let magic = try await MagicData(path: scratch.file(), options: MagicOptions(readOnly: true))
    try await lookUpUntilCached(magic)
    try scratch.change("UPDATE Person SET name = 'Grace'")
    #expect(try await magic.object(of: Person.self, primary: "a").name == "Grace")
    await magic.close()
  }

  @Test func manyTasksLookUpAndSaveUntilTheDatabaseIsSuspended() async throws {
    let magic = try await filled(MagicOptions(durability: .normal, readers: 2))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for round in 0..<100 {
            if task == 0 { _ = try? await magic.update(Person(id: "a", name: "name \(round)")) }
            try? await Lookup.allCases[round % 3](magic)
          }
        }
      }
      group.addTask {
        for _ in 0..<3 {
          await magic.suspend()
          magic.resume()
        }
      }
    }
    #expect(try await magic.object(of: Person.self, primary: "a").name.hasPrefix("name"))
    await magic.close()
  }
}
