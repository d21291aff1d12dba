import Foundation
import MagicData
import Testing

/// A transaction whose task is cancelled stores nothing, wherever it was.
@Suite struct TransactionCancellationTests {
  let scratch = Scratch()

  @Test func everyVerbOfATransactionLooksAtCancellation() async throws {
    let magic = try await MagicData(path: scratch.file())
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
    let magic = try await MagicData(path: scratch.file())
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await magic.transaction { _ in Issue.record("the body ran") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func anErrorAtEveryStepStoresNothingAndTheNextTransactionWorks() async throws {
    let magic = try await MagicData(path: scratch.file())
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

  private struct Failure: Error { let step: Int }
}
