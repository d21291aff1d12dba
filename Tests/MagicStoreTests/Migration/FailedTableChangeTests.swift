import EngineConformance
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import TestModels
import Testing

/// A change of a table that fails in the middle is undone completely, also if the transaction
/// continues.
@Suite struct FailedTableChangeTests {
  let scratch = Scratch()

  init() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "a"].map { Old.Item(name: $0) })
    }
  }

  private func changing(
    _ call: @escaping (borrowing MagicTransaction) throws -> Void,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let definitions = try scratch.raw().definitions(of: "Item")
    try scratch.using { store throws in
      try store.transaction { transaction throws in
        do {
          try call(transaction)
          Issue.record("The rows break the new index.", sourceLocation: location)
        } catch let error as MagicError {
          #expect([.notUnique, .needsMigration].contains(error.code), sourceLocation: location)
          #expect(error.type == "Item", sourceLocation: location)
        }
        try transaction.update(Old.Item(name: "b"))
        try transaction.update(Note("kept"))
      }
    }
    #expect(try scratch.raw().definitions(of: "Item") == definitions, sourceLocation: location)
    try scratch.using { store throws in
      let names = try store.object(of: Old.Item.self).map(\.name)
      #expect(names == ["a", "a", "b"], sourceLocation: location)
      #expect(try store.object(of: Note.self).count == 1, sourceLocation: location)
    }
  }

  @Test func oneObject() throws {
    try changing { try $0.update(Wider.Item(name: "c")) }
  }

  @Test func severalObjects() throws {
    try changing { try $0.update(contentsOf: ["c", "d"].map { Wider.Item(name: $0) }) }
  }

  @Test func aRead() throws {
    try changing { _ = try $0.object(of: Wider.Item.self) }
  }

  @Test func anObjectThatIsCaughtTwice() throws {
    try changing { transaction throws in
      #expect(throws: MagicError.self) { try transaction.update(Wider.Item(name: "c")) }
      try transaction.update(Wider.Item(name: "d"))
    }
  }

  @Test func aTableCreatedForARefusedRowIsKept() throws {
    try scratch.using { store throws in
      try store.transaction { transaction throws in
        #expect(throws: MagicError.self) { try transaction.update(Note()) }
        try transaction.update(Note("a"))
      }
      #expect(try store.object(of: Note.self).map(\.text) == ["a"])
    }
  }
}

private enum Wider {
  struct Item: MagicObject {
    static var tableName: String { "Item" }
    @MagicValue(.unique) var name: String
    @OptionMagicValue var size: Int?
    @OptionMagicValue var extra: Int?

    init() {}
    init(name: String) { self.name = name }
  }
}
