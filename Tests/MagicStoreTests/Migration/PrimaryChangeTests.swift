import EngineConformance
import Foundation
import MagicSQLite
import MagicSchema
import MagicStore
import MagicTestSupport
import Testing

/// Primaries that are added, dropped and changed, and row IDs that are not assigned again.
@Suite struct PrimaryChangeTests {
  let scratch = Scratch()

  private enum None {
    struct Card: MagicObject {
      @MagicValue var name: String
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  private enum Numbered {
    struct Card: MagicObject {
      @PrimaryMagicValue var number: Int
      @MagicValue var name: String
      init() {}
      init(_ name: String) { self.name = name }
    }
  }

  private func make(_ names: [String] = ["a", "b", "c"]) throws {
    try scratch.using { store in try store.update(contentsOf: names.map { None.Card($0) }) }
  }

  private func makeNumbered() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: ["a", "b", "c"].map { Numbered.Card($0) })
    }
  }

  // MARK: Added and dropped

  @Test func anAddedAutoIncrementPrimaryIsTheRowID() throws {
    try make()
    try scratch.using { store in try store.remove(store.object(of: None.Card.self)[1]) }
    try scratch.migrating(to: Numbered.Card.self) { store, cards throws in
      #expect(cards.map(\.number) == [1, 3])
      let new = Numbered.Card("d")
      try store.update(new)
      #expect(new.number == 4)
      #expect(try store.object(of: Numbered.Card.self, primary: 3).name == "c")
    }
  }

  @Test func anAddedTextOrUUIDIsRandomInEveryRow() throws {
    enum Text {
      struct Card: MagicObject {
        @PrimaryMagicValue var id: String
        @MagicValue var name: String
      }
    }
    enum Identified {
      struct Card: MagicObject {
        @PrimaryMagicValue(.wasNamed("id")) var key: UUID
        @MagicValue var name: String
      }
    }
    try make()
    try scratch.migrating(to: Text.Card.self) { store, cards throws in
      #expect(Set(cards.map(\.id)).count == 3)
      for card in cards {
        #expect(UUID(uuidString: card.id)?.uuidString == card.id)
        #expect(try store.object(of: Text.Card.self, primary: card.id).name == card.name)
      }
    }
    try scratch.migrating(to: Identified.Card.self) { _, cards throws in
      #expect(Set(cards.map(\.key)).count == 3)
    }
  }

  @Test func aPropertyBecomesThePrimary() throws {
    enum Named {
      struct Card: MagicObject { @PrimaryMagicValue var name: String }
    }
    try make()
    try scratch.migrating(to: Named.Card.self) { store, cards throws in
      #expect(cards.map(\.name) == ["a", "b", "c"])
      let again = Named.Card()
      again.name = "b"
      // The row with that primary is updated.
      #expect(try store.update(again).rawValue == 2)
      #expect(try store.object(of: Named.Card.self).count == 3)
    }
  }

  @Test func aPropertyWithDuplicatesDoesNotBecomeThePrimary() throws {
    enum Named {
      struct Card: MagicObject { @PrimaryMagicValue var name: String }
    }
    try make(["a", "b", "a", "c", "b"])
    try scratch.expectNoMigration(
      to: Named.Card.self, .notUnique, property: "name",
      naming: ["Card", "rows 1, 2, 3, 5", "name"])
  }

  @Test func aPrimaryBecomesAnOrdinaryProperty() throws {
    enum Plain {
      struct Card: MagicObject {
        @MagicValue var number: Int
        @MagicValue var name: String
      }
    }
    try makeNumbered()
    try scratch.migrating(to: Plain.Card.self) { store, cards throws in
      #expect(cards.map(\.number) == [1, 2, 3])
      cards[1].number = 1
      try store.update(cards[1])
    }
  }

  @Test func anotherPropertyBecomesThePrimary() throws {
    enum Moved {
      struct Card: MagicObject {
        @MagicValue var number: Int
        @PrimaryMagicValue var name: String
      }
    }
    try makeNumbered()
    try scratch.migrating(to: Moved.Card.self) { store, cards throws in
      #expect(cards.map(\.number) == [1, 2, 3])
      #expect(try store.object(of: Moved.Card.self, primary: "b").number == 2)
    }
  }

  @Test func aPrimaryIsRenamed() throws {
    enum Renamed {
      struct Card: MagicObject {
        @PrimaryMagicValue(.wasNamed("number")) var id: Int
        @MagicValue var name: String
      }
    }
    try makeNumbered()
    try scratch.migrating(to: Renamed.Card.self) { store, cards throws in
      #expect(cards.map(\.id) == [1, 2, 3])
      #expect(try store.object(of: Renamed.Card.self, primary: 2).name == "b")
    }
  }

  @Test func anAutoIncrementPrimaryBecomesAText() throws {
    enum Text {
      struct Card: MagicObject {
        @PrimaryMagicValue var number: String
        @MagicValue var name: String
      }
    }
    try makeNumbered()
    try scratch.migrating(to: Text.Card.self) { store, cards throws in
      #expect(cards.map(\.number) == ["1", "2", "3"])
      #expect(try store.object(of: Text.Card.self, primary: "2").name == "b")
    }
  }

  // MARK: Assigned once

  private enum Rebuilt {
    struct Card: MagicObject {
      @PrimaryMagicValue var number: Int
      @OptionMagicValue var name: String?
    }
  }

  private enum Retitled {
    struct Sheet: MagicObject {
      static var wasNamed: [String] { ["Card"] }
      @PrimaryMagicValue var number: Int
      @OptionMagicValue var name: String?
    }
  }

  @Test func anAutoIncrementPrimaryIsNotAssignedAgainAfterARebuild() throws {
    try makeNumbered()
    try scratch.using { store in try store.remove(store.object(of: Numbered.Card.self)[2]) }
    try scratch.using { store throws in
      let card = Rebuilt.Card()
      #expect(try store.update(card).rawValue == 4)
      #expect(card.number == 4)
    }
    try scratch.expectAsNew(Rebuilt.Card.self)
  }

  @Test func anAutoIncrementPrimaryIsNotAssignedAgainAfterTheTypeIsRenamed() throws {
    try makeNumbered()
    try scratch.using { store in try store.removeAll(of: Numbered.Card.self) }
    try scratch.using { store throws in
      let sheet = Retitled.Sheet()
      #expect(try store.update(sheet).rawValue == 4)
      #expect(sheet.number == 4)
      try store.remove(sheet)
    }
    try scratch.using { store throws in
      let sheet = Retitled.Sheet()
      #expect(try store.update(sheet).rawValue == 5)
      #expect(sheet.number == 5)
    }
    try scratch.expectAsNew(Retitled.Sheet.self)
  }

  @Test func aRowIDIsNotAssignedAgainIfALaterRowIsDeletedAfterTheRebuild() throws {
    try makeNumbered()
    try scratch.using { store throws in
      let cards = try store.object(of: Rebuilt.Card.self)
      try store.remove(cards[2])
      #expect(try store.update(Rebuilt.Card()).rawValue == 4)
    }
    let connection = try scratch.raw()
    try connection.execute("DELETE FROM Card")
    connection.close()
    try scratch.using { store throws in
      let card = Rebuilt.Card()
      #expect(try store.update(card).rawValue == 5)
      #expect(card.number == 5)
    }
  }

  @Test func theMaximumAndNegativeRowIDsSurviveARebuild() throws {
    try make(["a"])
    try scratch.raw().execute(
      """
      INSERT INTO Card (z_index, name) VALUES (\(Int64.max), 'last'), (\(Int64.min), 'first'),
        (-1, 'minus'), (0, 'zero')
      """)
    enum Later {
      struct Card: MagicObject { @OptionMagicValue var name: String? }
    }
    try scratch.migrating(to: Later.Card.self) { store, cards throws in
      #expect(cards.map(\.name) == ["first", "minus", "zero", "a", "last"])
      #expect(cards.map { $0.zIndex?.rawValue } == [.min, -1, 0, 1, .max])
      let error = #expect(throws: MagicError.self) { try store.update(Later.Card()) }
      #expect(error?.code == .idsExhausted)
    }
  }

  @Test func aTableOfMoreThanOnePortionIsRebuiltCompletely() throws {
    try make(["a"])
    try scratch.raw().execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO Card (z_index, name) SELECT i * 3, 'row ' || i FROM n
      """)
    enum Later {
      struct Card: MagicObject {
        @OptionMagicValue var name: String?
        @MagicValue var size = 2
      }
    }
    try scratch.migrating(to: Later.Card.self) { _, cards throws in #expect(cards.count == 30_000) }
    let connection = try scratch.raw()
    #expect(
      try connection.integer(
        "SELECT count(*) FROM Card WHERE name = 'row ' || (z_index / 3) AND size = 2") == 29_999)
  }
}
