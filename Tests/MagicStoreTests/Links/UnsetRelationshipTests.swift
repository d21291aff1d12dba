import EngineConformance
import Foundation
import MagicRelations
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Values of relationships that cannot be stored.
@Suite(.everyEngine) struct UnsetRelationshipTests {
  let scratch = Scratch()

  struct Sub: MagicObject {
    @MagicValue var name: String

    init() {}
    init(_ name: String) { self.name = name }
  }

  /// Expects that a save is refused with nothing written, the tables included.
  private func expectRefusal<Model: MagicObject>(
    _ code: MagicError.Code, _ type: String, _ property: String, _ object: Model,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try scratch.using { store throws in
      for _ in 0..<2 {
        let error = #expect(throws: MagicError.self, sourceLocation: location) {
          try store.update(object)
        }
        #expect(error?.code == code, sourceLocation: location)
        #expect(error?.type == type, sourceLocation: location)
        #expect(error?.property == property, sourceLocation: location)
        #expect(object.zIndex == nil, sourceLocation: location)
        try scratch.expectRows(0, in: "sqlite_master", sourceLocation: location)
      }
    }
  }

  @Test func anUnsetRequiredToOne() throws {
    struct Owner: MagicObject {
      @MagicValue var name: String = ""
      @MagicValue var sub: Sub
    }
    try expectRefusal(.missingValue, "Owner", "sub", Owner())
  }

  @Test func unsetCollections() throws {
    struct List: MagicObject { @MagicValue var subs: [Sub] }
    try expectRefusal(.missingValue, "List", "subs", List())
    struct Bag: MagicObject { @MagicValue var subs: MagicalSet<Sub> }
    try expectRefusal(.missingValue, "Bag", "subs", Bag())
    struct Table: MagicObject { @MagicValue var subs: [String: Sub] }
    try expectRefusal(.missingValue, "Table", "subs", Table())
  }

  @Test func anUnsetValueOfAMember() throws {
    struct List: MagicObject {
      @MagicValue var subs: [Sub] = []
      @OptionMagicValue var sub: Sub?
    }
    let list = List()
    list.subs = [Sub("a"), Sub()]
    try expectRefusal(.missingValue, "Sub", "name", list)
    list.subs = []
    list.sub = Sub()
    try expectRefusal(.missingValue, "Sub", "name", list)
  }

  @Test func aKeyThatIsNotANumber() throws {
    struct Table: MagicObject { @MagicValue var subs: [Double: Sub] = [:] }
    let table = Table()
    table.subs = [.nan: Sub("a"), 1: Sub("b")]
    try expectRefusal(.cannotEncode, "Table", "subs", table)
    #expect(table.subs.values.allSatisfy { $0.zIndex == nil })
    table.subs = [.infinity: Sub("a"), -0.0: Sub("b")]
    try scratch.using { store throws in
      try store.update(table)
      #expect(
        try store.object(of: Table.self)[0].subs.mapValues(\.name) == [.infinity: "a", 0: "b"])
    }
  }

  @Test func aKeyThatIsTooLarge() throws {
    struct Table: MagicObject { @MagicValue var subs: [UInt64: Sub] = [:] }
    let table = Table()
    table.subs = [.max: Sub("a")]
    try expectRefusal(.cannotEncode, "Table", "subs", table)
  }

  /// Two texts that are equal in Swift and different in SQLite.
  @Test(.requires(.files)) func keysThatAreEqualOnlyInSwift() throws {
    struct Table: MagicObject { @MagicValue var subs: [String: Sub] = [:] }
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try scratch.using { store throws in
      let table = Table()
      table.subs = [composed: Sub("a"), "b": Sub("b")]
      try store.update(table)
      let fetched = try store.object(of: Table.self)[0]
      fetched.subs[decomposed] = Sub("c")
      #expect(fetched.subs.count == 2)
      try store.update(fetched)
      #expect(
        try store.object(of: Table.self)[0].subs.mapValues(\.name)
          == [composed: "c", "b": "b"])
      // A key that is removed and inserted again in the other form.
      fetched.subs[composed] = nil
      fetched.subs[decomposed] = Sub("d")
      try store.update(fetched)
      #expect(
        try store.object(of: Table.self)[0].subs.mapValues(\.name) == [composed: "d", "b": "b"])
    }
    // Another program may store both.
    try scratch.raw().execute(
      """
      INSERT OR IGNORE INTO "magic_Table.subs" ("owner", "key", "target")
        VALUES (1, '\(composed)', 1), (1, '\(decomposed)', 2)
      """)
    try scratch.using { store throws in
      let table = try store.object(of: Table.self)[0]
      #expect(table.subs.count == 2)
      table.subs["x"] = Sub("x")
      try store.update(table)
      table.subs[composed] = Sub("y")
      try store.update(table)
      #expect(try store.object(of: Table.self)[0].subs.count == 3)
      table.subs = [:]
      try store.update(table)
      #expect(try store.object(of: Table.self)[0].subs.count <= 1)
    }
    try scratch.expectWhole()
  }
}
