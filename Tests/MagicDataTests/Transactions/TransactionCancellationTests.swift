import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// A transaction whose task is cancelled stores nothing, at any step.
@Suite(.everyEngine) struct TransactionCancellationTests {
  let scratch = Scratch()

  @Test func everyVerbOfATransactionChecksForCancellation() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let kept = Person(id: "kept", name: "Kept")
    try await magic.update(kept)
    let verbs: [@Sendable (borrowing MagicTransaction) throws -> Void] = [
      { try $0.update(Person(name: "b")) },
      { try $0.update(contentsOf: [Person(name: "b")]) },
      { try $0.remove(kept) },
      { try $0.remove(contentsOf: [kept]) },
      { _ = try $0.removeAll(of: Person.self) },
      { _ = try $0.object(of: Person.self) },
      { _ = try $0.object(of: Person.self, primary: "kept") },
      { _ = try $0.object(of: Person.self, primaries: ["kept"]) },
      { _ = try $0.has(of: Person.self, primary: "kept") },
      { _ = try $0.first(of: Person.self) { _ in true } },
      { try $0.transaction { _ in } },
      { try $0.read { _ in } },
    ]
    for verb in verbs {
      let new = Person(name: "new")
      let task = Task {
        try await magic.transaction { transaction in
          try transaction.update(new)
          withUnsafeCurrentTask { $0?.cancel() }
          try verb(transaction)
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(new.zIndex == nil)
      #expect(kept.zIndex != nil)
      #expect(try await magic.object(of: Person.self).map(\.id) == ["kept"])
    }
  }

  @Test func aTransactionThatIsCancelledBeforeItBeginsDoesNotRun() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await magic.transaction { _ in Issue.record("the body ran") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func anErrorAtEveryStepStoresNothingAndTheNextTransactionWorks() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = (0..<4).map { Person(id: "\($0)", name: "\($0)") }
    try await magic.update(contentsOf: people)
    let steps = 6
    for failing in 0...steps {
      let added = Person(id: "added \(failing)", name: "added")
      people[1].age += 1
      do {
        try await magic.transaction { transaction in
          for step in 0..<steps {
            if step == failing { throw Failure(step: step) }
            switch step {
            case 0: try transaction.update(added)
            case 1: try transaction.update(people[1])
            case 2: try transaction.remove(people[2])
            case 3: try transaction.transaction { try $0.update(people[2]) }
            case 4: _ = try transaction.object(of: Person.self)
            default: try transaction.remove(added)
            }
          }
        }
        #expect(failing == steps)
      } catch let failure as Failure {
        #expect(failure.step == failing)
      }
      let stored = try await magic.object(of: Person.self)
      #expect(stored.map(\.id).sorted() == ["0", "1", "2", "3"])
      #expect(added.zIndex == nil)
      #expect(people.allSatisfy { $0.zIndex != nil })
    }
    #expect(try await magic.object(of: Person.self, primary: "1").age == people[1].age)
  }

  @Test(.requires(.files), .timeLimit(.minutes(5))) func aWriteCancelledWhileItWaitsLeavesNoLock()
    async throws
  {
    for durability in [MagicOptions.Durability.normal, .full] {
      let magic = try await MagicData.onTestedEngine(
        path: scratch.file(), options: MagicOptions(durability: durability))
      try await magic.update(Note("before"))
      let (hasBegun, mayEnd) = (Flag(), Flag())
      let first = Task {
        try await magic.transaction { _ in
          hasBegun.set()
          mayEnd.wait()
          throw Failure(step: 0)
        }
      }
      #expect(await eventually { hasBegun.isSet })
      let second = Task { try await magic.update(Note("waits")) }
      try await Task.sleep(nanoseconds: 50_000_000)
      second.cancel()
      mayEnd.set()
      await #expect(throws: Failure.self) { try await first.value }
      await #expect(throws: CancellationError.self) { try await second.value }
      await magic.close()
      let other = try await MagicData.onTestedEngine(path: scratch.file())
      try await other.update(Note("after"))
      let raw = try scratch.raw(timeout: 0)
      try raw.execute("BEGIN IMMEDIATE; ROLLBACK")
      try await other.removeAll(of: Note.self)
      await other.close()
    }
  }

  @Test(.requires(.files), .timeLimit(.minutes(5))) func aCancelledTaskHoldsNoLock()
    async throws
  {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let raw = try scratch.raw(timeout: 0)
    for _ in 0..<200 {
      let tasks = (0..<4).map { index in Task { try await magic.update(Note("\(index)")) } }
      tasks[0].cancel()
      tasks[2].cancel()
      for task in tasks { _ = await task.result }
      try raw.execute("BEGIN IMMEDIATE; ROLLBACK")
    }
  }

  @Test func aBodyThatIgnoresItsCancellationStoresNothing() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    let task = Task {
      try await magic.transaction { transaction in
        try transaction.update(note)
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try? transaction.update(Note("b"))
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(note.zIndex == nil)
    #expect(try await magic.object(of: Note.self).isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func aSaveDoesNotWaitForALaterLongTransaction() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Note("before"))
    let (holds, mayContinue, hasBegun, mayEnd) = (Flag(), Flag(), Flag(), Flag())
    let first = Task {
      try await magic.transaction { _ in
        holds.set()
        mayContinue.wait()
      }
    }
    #expect(await eventually { holds.isSet })
    let save = Task { try await magic.update(Note("early")) }
    try await Task.sleep(nanoseconds: 50_000_000)
    let long = Task {
      try await magic.transaction { _ in
        hasBegun.set()
        mayEnd.wait()
      }
    }
    try await Task.sleep(nanoseconds: 50_000_000)
    mayContinue.set()
    _ = try await save.value
    #expect(await eventually { hasBegun.isSet })
    mayEnd.set()
    try await first.value
    try await long.value
  }

  @Test(.requires(.rawSQL), .timeLimit(.minutes(5))) func aWriteBySQLEndsWhenItsTaskIsCancelled()
    async throws
  {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Note("a"))
    let endless: MagicSQL = """
      UPDATE Note SET stars = (WITH RECURSIVE n (i) AS \
      (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n)
      """
    let alone = Task { try await magic.sql(endless).run() }
    let inside = Task { try await magic.transaction { try $0.sql(endless).run() } }
    let others = (0..<4).map { index in Task { try await magic.update(Note("\(index)")) } }
    try await Task.sleep(nanoseconds: 100_000_000)
    alone.cancel()
    await #expect(throws: CancellationError.self) { try await alone.value }
    inside.cancel()
    await #expect(throws: CancellationError.self) { try await inside.value }
    for other in others { _ = try await other.value }
    let notes = try await magic.object(of: Note.self)
    #expect(notes.count == 5)
    #expect(notes.allSatisfy { $0.stars == nil })
  }

  private struct Failure: Error { let step: Int }
}
