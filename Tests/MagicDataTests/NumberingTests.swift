import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

/// Row IDs and auto-increment primaries: the database assigns each only once.
@Suite(.everyEngine) struct NumberingTests {
  let scratch = Scratch()

  /// The ways to delete the last row of a table.
  enum Deletion: CaseIterable {
    case remove, removeContents, removeAll, rawDelete, rawDeleteAll, rawReplace

    /// The features of the engine that it needs.
    var features: EngineFeatures {
      switch self {
      case .remove, .removeContents, .removeAll: []
      case .rawDelete, .rawDeleteAll, .rawReplace: .files
      }
    }
  }

  private func delete(_ last: Ticket, by deletion: Deletion, in magic: MagicData) async throws {
    switch deletion {
    case .remove: try await magic.remove(last)
    case .removeContents: try await magic.remove(contentsOf: magic.object(of: Ticket.self))
    case .removeAll: try await magic.removeAll(of: Ticket.self)
    case .rawDelete: try scratch.raw().execute("DELETE FROM Ticket WHERE number = 3")
    case .rawDeleteAll: try scratch.raw().execute("DELETE FROM Ticket")
    case .rawReplace:
      try scratch.raw().execute(
        "INSERT OR REPLACE INTO Ticket (z_index, number, title) VALUES (2, 3, 'replaced')")
    }
  }

  @Test(arguments: Deletion.allCases, [false, true])
  func aRowIDIsNeverAssignedAgain(deletion: Deletion, reopens: Bool) async throws {
    let needed = reopens ? deletion.features.union(.reopening) : deletion.features
    guard TestedEngine.current.has(needed) else { return }
    var magic = try await MagicData.onTestedEngine(path: scratch.file())
    let tickets = (1...3).map { Ticket("\($0)") }
    try await magic.update(contentsOf: tickets)
    #expect(tickets.map { $0.zIndex?.rawValue } == [1, 2, 3])
    try await delete(tickets[2], by: deletion, in: magic)
    if reopens {
      await magic.close()
      magic = try await MagicData.onTestedEngine(path: scratch.file())
    }
    let new = Ticket("new")
    expectRowIDs([try await magic.update(new)], [4])
    #expect(new.number == 4)
    let more = (0..<3).map { Ticket("more \($0)") }
    expectRowIDs(try await magic.update(contentsOf: more), [5, 6, 7])
    #expect(more.map(\.number) == [5, 6, 7])
  }

  @Test func aRowIDIsNotAssignedAgainAfterAFailureInATransaction() async throws {
    struct Stop: Error {}
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let notes = (1...3).map { Note("\($0)") }
    try await magic.update(contentsOf: notes)
    try await magic.remove(notes[2])
    let zIndex = try await magic.transaction { transaction in
      // The first insert of the transaction; its cached row ID is discarded.
      #expect(throws: Stop.self) {
        try transaction.transaction { inner in
          try inner.update(Note("x"))
          throw Stop()
        }
      }
      return try transaction.update(Note("y"))
    }
    expectRowIDs([zIndex], [4])
  }

  @Test func aRolledBackRowIDMayBeAssignedLater() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: [Ticket("a"), Ticket()])
    }
    let ticket = Ticket("b")
    try await magic.update(ticket)
    #expect(ticket.number > 0)
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [ticket.number])
  }

  @Test func theObjectAndItsCopiesReceiveAnAutoIncrementPrimary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ticket = Ticket("a")
    let copy = ticket
    #expect(ticket.number == 0)
    #expect(copy.zIndex == nil)
    try await magic.update(ticket)
    #expect(ticket.number == 1)
    #expect(copy.number == 1)
    #expect(copy.zIndex == ticket.zIndex)
    copy.title = "b"
    try await magic.update(copy)
    #expect(try await magic.object(of: Ticket.self).map(\.title) == ["b"])
  }

  @Test func anExplicitPrimaryIsKeptAndRaisesTheAutoIncrementValue() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let explicit = Ticket("explicit")
    explicit.number = 100
    try await magic.update(explicit)
    #expect(explicit.number == 100)
    let next = Ticket("next")
    try await magic.update(next)
    #expect(next.number == 101)
    let negative = Ticket("negative")
    negative.number = -5
    try await magic.update(negative)
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [100, 101, -5])
  }

  @Test func anExplicitPrimaryInABatchIsNotAssignedToAnotherRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ticket("first"))
    let batch = (0..<4).map { Ticket("batch \($0)") }
    batch[1].number = 3
    batch[2].number = 10
    let zIndexes = try await magic.update(contentsOf: batch + [Ticket("last")])
    #expect(Set(zIndexes).count == 5)
    let stored = try await magic.object(of: Ticket.self)
    #expect(stored.count == 6)
    #expect(Set(stored.map(\.number)).count == 6)
    #expect(stored.map(\.title).contains("batch 1"))
    #expect(batch[1].number == 3)
  }

  @Test func aRemovedTicketIsInsertedAgainWithItsPrimary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ticket = Ticket("a")
    let old = try await magic.update(ticket)
    try await magic.remove(ticket)
    #expect(ticket.number == 1)
    #expect(try await magic.update(ticket) > old)
    #expect(try await magic.object(of: Ticket.self).map(\.number) == [1])
  }

  @Test func primariesAtTheMaximumAreRefusedWithAClearError() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let last = Ticket("last")
    last.number = .max
    try await magic.update(last)
    let error = await #expect(throws: MagicError.self) { try await magic.update(Ticket("more")) }
    #expect(error?.code == .idsExhausted)
    #expect(error?.property == "number")
    #expect(try await magic.object(of: Ticket.self).count == 1)
  }

  @Test(.requires(.files)) func theMaximumRowIDIsAssignedAndNoneAfterIt() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Note("a"))
    try scratch.raw().execute("INSERT INTO Note VALUES (9223372036854775805, 'b', NULL)")
    #expect(try await magic.update(Note("c")).rawValue == .max - 1)
    let pair = [Note("d"), Note("e")]
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(contentsOf: pair)
    }
    #expect(error?.code == .idsExhausted)
    #expect(pair.allSatisfy { $0.zIndex == nil })
    #expect(try await magic.object(of: Note.self).map(\.text) == ["a", "b", "c"])
    #expect(try await magic.update(pair[0]).rawValue == .max)
    let another = await #expect(throws: MagicError.self) { try await magic.update(pair[1]) }
    #expect(another?.code == .idsExhausted)
  }

  @Test(.requires(.files)) func anAutoIncrementColumnWithATextOverwritesNoRow() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Ticket("mine"))
    try scratch.raw().execute("INSERT INTO Ticket (number, title) VALUES ('text', 'theirs')")
    _ = try? await magic.update(Ticket("new"))
    let titles = try scratch.raw().text(
      "SELECT group_concat(title) FROM (SELECT title FROM Ticket ORDER BY z_index)")
    #expect(titles?.hasPrefix("mine,theirs") == true)
  }

  @Test func anObjectOfAnotherDatabaseCountsAsUnsaved() async throws {
    let first = try await MagicData.onTestedEngine(path: scratch.file("a.db"))
    let second = try await MagicData.onTestedEngine(path: scratch.file("b.db"))
    let note = Note("a")
    try await first.update(contentsOf: [Note("x"), note])
    let fetched = try await first.object(of: Note.self)
    let error = await #expect(throws: MagicError.self) { try await second.remove(note) }
    #expect(error?.code == .notSaved)

    try await second.update(contentsOf: fetched)
    #expect(try await second.object(of: Note.self).map(\.text) == ["x", "a"])
    fetched[0].text = "changed"
    try await second.update(fetched[0])
    #expect(try await second.object(of: Note.self).map(\.text) == ["changed", "a"])
    #expect(try await first.object(of: Note.self).map(\.text) == ["x", "a"])
  }

  @Test func anObjectOfAReplacedFileCountsAsUnsaved() async throws {
    let note = Note("a")
    for round in 0..<5 {
      let magic = try await MagicData.onTestedEngine(path: scratch.file())
      note.stars = round
      try await magic.update(note)
      try await magic.update(note)
      #expect(try await magic.object(of: Note.self).map(\.stars) == [round])
      await magic.close()
      for name in scratch.names { try FileManager.default.removeItem(atPath: scratch.file(name)) }
    }
    for _ in 0..<5 {
      let magic = try await MagicData.onTestedEngine(type: .temporary)
      // Unchanged since its save to the replaced file, but not in this file.
      try await magic.update(note)
      #expect(try await magic.object(of: Note.self).map(\.text) == ["a"])
      await magic.close()
    }
  }

  @Test(.requires(.reopening)) func anObjectIsUsableAfterItsDatabaseIsClosed() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let note = Note("a")
    let zIndex = try await magic.update(note)
    await magic.close()
    #expect(note.zIndex == zIndex)
    let again = try await MagicData.onTestedEngine(path: scratch.file())
    note.text = "b"
    #expect(try await again.update(note) == zIndex)
    #expect(try await again.object(of: Note.self).map(\.text) == ["b"])
  }
}
