import EngineConformance
import MagicSchema
import MagicStore
import MagicTestSupport
import SQLiteStore
import TestModels
import Testing

private enum WithUnique {
  struct Pair: MagicObject {
    @MagicValue(.unique) var number: Int
    static var tableName: String { "x,y" }
    init() {}
    init(_ number: Int) { self.number = number }
  }
}

private enum WithoutUnique {
  struct Pair: MagicObject {
    @MagicValue var number: Int
    static var tableName: String { "x,y" }
    init() {}
    init(_ number: Int) { self.number = number }
  }
}

private struct Accented: MagicObject {
  @MagicValue(.named("a\"\u{301}b")) var text: String
  static var tableName: String { "q\"\u{301}x" }
  init() {}
}

private enum Before {
  struct Item: MagicObject {
    @PrimaryMagicValue(.named("old")) var id: String
    static var tableName: String { "Renamed" }
    init() {}
  }
}

private enum After {
  struct Item: MagicObject {
    @PrimaryMagicValue(.named("new"), .wasNamed("old")) var id: String
    static var tableName: String { "Renamed" }
    init() {}
  }
}

private struct Unfit: MagicObject {
  @MagicValue var text: String
  @MagicValue var extra: Int
  static var tableName: String { "Note" }
  init() {}
}

/// Names of tables, columns and indexes, and the types that use them.
@Suite struct NameTests {
  private let scratch = Scratch()

  @Test func aFormerUniqueIndexOfATableWithACommaConstrainsNoType() throws {
    try scratch.using { store throws in try store.update(WithUnique.Pair(1)) }
    try scratch.using { store throws in
      try store.update(WithoutUnique.Pair(1))
      #expect(try store.object(of: WithoutUnique.Pair.self).count == 2)
    }
  }

  @Test func aQuoteWithACombiningMarkIsQuoted() throws {
    try scratch.using { store throws in
      let object = Accented()
      object.text = "x"
      try store.update(object)
      try store.remove(object)
      #expect(try store.object(of: Accented.self).isEmpty)
    }
  }

  @Test func aRenamedPrimaryIsFoundInAReadOnlyFile() throws {
    let item = Before.Item()
    let id = item.id
    try scratch.using { store throws in try store.update(item) }
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      #expect(try store.has(of: After.Item.self, primary: id))
      #expect(try store.object(of: After.Item.self, primary: id).id == id)
    }
  }

  @Test func aTypeThatDoesNotMatchATableDoesNotClaimIt() throws {
    try scratch.using { store throws in try store.update(Note("x")) }
    try scratch.using { store throws in
      let error = #expect(throws: MagicError.self) { try store.object(of: Unfit.self) }
      #expect(error?.code == .needsMigration)
      #expect(try store.object(of: Note.self).count == 1)
    }
  }
}
