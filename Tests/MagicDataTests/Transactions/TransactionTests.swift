import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Transactions: several writes are stored together, or none of them.
@Suite(.everyEngine) struct TransactionTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private struct Stop: Error {}

  @Test func allWritesOfTheBodyAreStoredTogether() async throws {
    let magic = try await open()
    let ada = Person(id: "ada", name: "Ada")
    let count = try await magic.transaction { transaction in
      try transaction.update(ada)
      try transaction.update(contentsOf: [Person(name: "Grace"), Person(name: "Alan")])
      let found = try transaction.object(of: Person.self, primary: "ada")
      found.age = 36
      try transaction.update(found)
      return try transaction.object(of: Person.self).count
    }
    #expect(count == 3)
    let again = try await magic.object(of: Person.self, primary: "ada")
    #expect(again.age == 36)
  }

  @Test func aBodyThatThrowsStoresNothing() async throws {
    let magic = try await open()
    let kept = Note("kept")
    try await magic.update(kept)
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(Note("new"))
        kept.text = "changed"
        try transaction.update(kept)
        try transaction.removeAll(of: Note.self)
        throw Stop()
      }
    }
    #expect(try await magic.object(of: Note.self).map(\.text) == ["kept"])
  }

  @Test func aRollbackRestoresTheObjectsAndTheirMarksOfChange() async throws {
    let magic = try await open()
    let (saved, removed) = (Ticket("saved"), Ticket("removed"))
    try await magic.update(contentsOf: [saved, removed])
    let before = (saved.zIndex, removed.zIndex)
    let new = Ticket("new")
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(new)
        #expect(new.number == 3)
        #expect(new.zIndex != nil)
        saved.title = "changed"
        try transaction.update(saved)
        try transaction.remove(removed)
        #expect(removed.zIndex == nil)
        throw Stop()
      }
    }
    #expect(new.zIndex == nil)
    #expect(new.number == 0)
    #expect(saved.title == "changed")
    #expect((saved.zIndex, removed.zIndex) == before)
    try await magic.update(contentsOf: [saved, removed, new])
    #expect(
      try await magic.object(of: Ticket.self).map(\.title) == ["changed", "removed", "new"])
    #expect(new.number == 3)
  }

  @Test func aNestedTransactionIsRolledBackWithoutTheOuterOne() async throws {
    let magic = try await open()
    let (outer, inner, last) = (Note("outer"), Note("inner"), Note("last"))
    try await magic.transaction { transaction in
      try transaction.update(outer)
      #expect(throws: Stop.self) {
        try transaction.transaction { nested in
          outer.text = "changed"
          try nested.update(outer)
          try nested.update(inner)
          try nested.transaction { try $0.remove(outer) }
          #expect(try nested.object(of: Note.self).map(\.text) == ["inner"])
          throw Stop()
        }
      }
      #expect(inner.zIndex == nil)
      #expect(outer.zIndex != nil)
      try transaction.update(last)
    }
    #expect(try await magic.object(of: Note.self).map(\.text) == ["outer", "last"])
    try await magic.update(outer)
    #expect(try await magic.object(of: Note.self).map(\.text) == ["changed", "last"])
  }

  @Test func aVerbThatFailsStoresNothingAndTheTransactionContinues() async throws {
    let magic = try await open()
    try await magic.transaction { transaction in
      try transaction.update(Ticket("a", seat: "1"))
      let error = #expect(throws: MagicError.self) {
        try transaction.update(contentsOf: [Ticket("b", seat: "2"), Ticket("c", seat: "1")])
      }
      #expect(error?.code == .notUnique)
      let single = Ticket("d", seat: "1")
      #expect(throws: MagicError.self) { try transaction.update(single) }
      #expect(single.zIndex == nil)
      #expect(single.number == 0)
      single.seat = "3"
      try transaction.update(single)
    }
    let tickets = try await magic.object(of: Ticket.self)
    #expect(tickets.map(\.title) == ["a", "d"])
    #expect(tickets.map(\.number) == [1, 2])
  }

  @Test func otherReadersDoNotSeeUncommittedWrites() async throws {
    let magic = try await open()
    try await magic.update(Note("a"))
    let (hasWritten, mayCommit) = (Flag(), Flag())
    let writing = Task {
      try await magic.transaction { transaction in
        try transaction.update(Note("b"))
        hasWritten.set()
        mayCommit.wait()
        #expect(try transaction.object(of: Note.self).count == 2)
      }
    }
    #expect(await eventually { hasWritten.isSet })
    #expect(try await magic.object(of: Note.self).count == 1)
    mayCommit.set()
    try await writing.value
    #expect(try await magic.object(of: Note.self).count == 2)
  }

  @Test func aTaskStartedInTheBodyWritesAfterIt() async throws {
    let magic = try await open()
    let later = try await magic.transaction { transaction in
      try transaction.update(Note("first"))
      return Task { try await magic.update(Note("second")) }
    }
    _ = try await later.value
    #expect(try await magic.object(of: Note.self).map(\.text) == ["first", "second"])
  }

  @Test func aTableCreatedInARolledBackTransactionIsCreatedAgain() async throws {
    let magic = try await open()
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(Device("a"))
        throw Stop()
      }
    }
    #expect(try await magic.object(of: Device.self).isEmpty)
    try await magic.transaction { try $0.update(Device("b")) }
    #expect(try await magic.object(of: Device.self).map(\.label) == ["b"])
  }

  @Test(.requires(.singleRuns))
  func aTableCreatedInARolledBackNestedTransactionIsCreatedAgain() async throws {
    let magic = try await open()
    try await magic.transaction { transaction in
      #expect(throws: Stop.self) {
        try transaction.transaction { nested in
          try nested.update(Device("a"))
          throw Stop()
        }
      }
      try transaction.update(Device("b"))
    }
    #expect(try await magic.object(of: Device.self).map(\.label) == ["b"])
  }

  @Test func aRolledBackRowIDIsAssignedToTheNextRow() async throws {
    let magic = try await open()
    try await magic.transaction { transaction in
      try transaction.update(Ticket("a"))
      #expect(throws: Stop.self) {
        try transaction.transaction { nested in
          try nested.update(Ticket("b"))
          throw Stop()
        }
      }
      try transaction.update(Ticket("c"))
    }
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [1, 2])
  }

  @Test func anObjectRemovedAndSavedAgainIsANewRow() async throws {
    let magic = try await open()
    let note = Note("a")
    let first = try await magic.update(note)
    try await magic.transaction { transaction in
      try transaction.remove(note)
      let error = #expect(throws: MagicError.self) { try transaction.remove(note) }
      #expect(error?.code == .notSaved)
      #expect(try transaction.update(note) > first)
    }
    #expect(try await magic.object(of: Note.self).map(\.zIndex) == [note.zIndex])
  }

  @Test func aGraphSavedInATransactionIsRolledBackCompletely() async throws {
    let magic = try await open()
    let team = Team("a")
    team.players.append(Player("p"))
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(team)
        team.players.append(Player("q"))
        try transaction.update(team)
        throw Stop()
      }
    }
    #expect(team.zIndex == nil)
    #expect(team.players.allSatisfy { $0.zIndex == nil })
    #expect(try await magic.object(of: Player.self).isEmpty)
    try await magic.update(team)
    let again = try #require(try await magic.object(of: Team.self).first)
    #expect(again.players.map(\.name) == ["p", "q"])
  }

  @Test func aRefusedRemovalFailsTheTransactionAtItsEnd() async throws {
    let magic = try await open()
    let (denied, holder) = (Player("p"), Captaincy())
    holder.captain = denied
    try await magic.update(holder)
    let error = await #expect(throws: MagicError.self) {
      try await magic.transaction { transaction in
        try transaction.update(Note("with it"))
        try transaction.remove(denied)
      }
    }
    #expect(error?.code == .stillReferenced)
    #expect(try await magic.object(of: Note.self).isEmpty)
    try await magic.transaction { transaction in
      try transaction.remove(denied)
      try transaction.remove(holder)
    }
    #expect(try await magic.object(of: Player.self).isEmpty)
  }

  @Test func aResultOfAnyKindIsReturned() async throws {
    let magic = try await open()
    let (zIndex, text) = try await magic.transaction { transaction in
      (try transaction.update(Note("a")), "b")
    }
    #expect(zIndex.rawValue == 1)
    #expect(text == "b")
  }

  @Test(.requires(.files)) func aReadOnlyDatabaseRefusesATransaction() async throws {
    try await open().update(Note("a"))
    let magic = try await MagicData.onTestedEngine(
      path: scratch.file(), options: MagicOptions(readOnly: true))
    let error = await #expect(throws: MagicError.self) {
      try await magic.transaction { _ in }
    }
    #expect(error?.code == .readOnly)
  }

  @Test func aClosedDatabaseRefusesATransactionAndASnapshot() async throws {
    let magic = try await open()
    await magic.close()
    var error = await #expect(throws: MagicError.self) { try await magic.transaction { _ in } }
    #expect(error?.code == .closed)
    error = await #expect(throws: MagicError.self) { try await magic.read { _ in } }
    #expect(error?.code == .closed)
  }

  @Test func transactionsInMemoryAreRolledBackToo() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    await #expect(throws: Stop.self) {
      try await magic.transaction { transaction in
        try transaction.update(Note("a"))
        throw Stop()
      }
    }
    try await magic.transaction { try $0.update(Note("b")) }
    #expect(try await magic.read { try $0.object(of: Note.self).map(\.text) } == ["b"])
  }
}

struct Captaincy: MagicObject {
  @MagicValue var captain: Player
}
