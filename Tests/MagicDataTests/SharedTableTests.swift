import EngineConformance
import MagicData
import MagicTestSupport
import TestModels
import Testing

/// Row IDs of a table that two types with the same properties share.
@Suite(.everyEngine) struct SharedTableTests {
  private let scratch = Scratch()

  @Test func aRowIDThatOneTypeHasDeletedIsNotAssignedByTheOther() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Here.Ticket("a"))
    let last = try await magic.update(Here.Ticket("b"))
    try await magic.remove(magic.object(of: There.Ticket.self)[1])
    #expect(try await magic.update(Here.Ticket("c")) > last)
  }

  @Test func bothTypesShareRowIDsInOneTransaction() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (first, second, third) = (Here.Ticket("a"), There.Ticket("b"), Here.Ticket("c"))
    try await magic.transaction { transaction in
      try transaction.update(first)
      try transaction.update(second)
      try transaction.update(third)
    }
    #expect([first.number, second.number, third.number] == [1, 2, 3])
    #expect(try await magic.object(of: Here.Ticket.self).map(\.title) == ["a", "b", "c"])
  }

  @Test func anAutoIncrementPrimaryOfOneTypeIsNotAssignedByTheOther() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.transaction { transaction in
      try transaction.update(Here.Ticket("a"))
      try transaction.update(contentsOf: [There.Ticket("b"), There.Ticket("c")])
      // This writes the highest row ID of the second type; the commit writes that of the first.
      try transaction.query(There.Ticket.self).update(set: \.$title, to: "d")
    }
    try await magic.removeAll(of: There.Ticket.self)
    let next = Here.Ticket("e")
    try await magic.update(next)
    #expect(next.number == 4)
  }
}

private enum Here {
  struct Ticket: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var title: String

    init() {}
    init(_ title: String) { self.title = title }
  }
}

private enum There {
  struct Ticket: MagicObject {
    @PrimaryMagicValue var number: Int
    @MagicValue var title: String

    init() {}
    init(_ title: String) { self.title = title }
  }
}
