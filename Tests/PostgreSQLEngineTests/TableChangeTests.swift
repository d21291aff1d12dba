import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Tables of earlier versions of a type.
@Suite(.requiresPostgreSQL) struct TableChangeTests {
  private enum Old {
    struct House: MagicObject {
      @MagicValue var street: String = ""

      init() {}
      init(_ street: String) { self.street = street }
    }
  }

  private enum New {
    struct House: MagicObject {
      @MagicValue var street: String = ""
      @OptionMagicValue(.indexed) var color: String?
      @OptionMagicValue var city: City?
      @MagicValue var rooms: [Match] = []

      init() {}
    }
  }

  private enum Other {
    struct House: MagicObject {
      @MagicValue var street: Int = 0

      init() {}
    }
  }

  private enum Required {
    struct House: MagicObject {
      @MagicValue var street: String = ""
      @MagicValue var number: Int

      init() {}
    }
  }

  private enum Unique {
    struct House: MagicObject {
      @MagicValue(.unique) var street: String = ""

      init() {}
      init(_ street: String) { self.street = street }
    }
  }

  @Test func indexesThatAreNoLongerDeclaredAreDropped() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    try old.update(Unique.House("A"))
    #expect(code { try old.transaction { _ = try $0.insert(Unique.House("A")) } } == .notUnique)
    old.close()
    try schema.run("CREATE INDEX own ON \"House\" (street)")
    let store = try schema.open()
    defer { store.close() }
    try store.transaction { _ = try $0.insert(Old.House("A")) }
    #expect(try store.object(of: Old.House.self).count == 2)
    // An index of another program stays.
    #expect(try schema.run("SELECT 'own'::regclass").count == 1)
  }

  @Test func optionalPropertiesAndCollectionsAreAdded() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    try old.update(contentsOf: [Old.House("A"), Old.House("B")])
    old.close()
    let store = try schema.open()
    defer { store.close() }
    let houses = try store.object(of: New.House.self)
    #expect(houses.map(\.street) == ["A", "B"])
    houses[0].color = "red"
    houses[0].city = City("Oslo")
    houses[0].rooms = [Match("kitchen")]
    try store.update(contentsOf: houses)
    let again = try store.object(of: New.House.self)
    #expect(again.map(\.color) == ["red", nil])
    #expect(again[0].city?.name == "Oslo")
    #expect(again[0].rooms.map(\.place) == ["kitchen"])
  }

  @Test func changesThatNeedADecisionAreRefused() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    try old.update(Old.House("A"))
    old.close()
    let store = try schema.open()
    #expect(code { try store.update(Other.House()) } == .needsMigration)
    #expect(code { _ = try store.object(of: Required.House.self) } == .needsMigration)
    // The type of the table as it is can be used after a refused migration.
    #expect(try store.object(of: Old.House.self).count == 1)
    // In one process, a table has one type.
    #expect(code { _ = try store.object(of: New.House.self) } == .tableConflict)
    store.close()
  }

  @Test func tablesOfARolledBackTransactionAreCreatedAgain() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    #expect(throws: CancellationError.self) {
      try store.transaction { transaction in
        try transaction.update(City("Oslo"))
        throw CancellationError()
      }
    }
    #expect(try store.object(of: City.self).isEmpty)
    try store.update(City("Oslo"))
    #expect(try store.object(of: City.self).count == 1)
  }

  @Test func anExclusiveBodyThatDeletesFromAnOutdatedTableRunsOnce() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    try old.update(contentsOf: [Old.House("A"), Old.House("B")])
    old.close()
    let store = try schema.open()
    defer { store.close() }
    var runs = 0
    let deleted = try store.transaction { transaction in
      runs += 1
      return try transaction.query(New.House.self).where(\.$street == "A").delete()
    }
    #expect(runs == 1)
    #expect(deleted == 1)
    #expect(try store.object(of: New.House.self).map(\.street) == ["B"])
  }

  @Test func tablesAreCreatedAgainAfterPartsOfTheTransactionWereRolledBack() throws {
    let store = try TestSchema().open()
    defer { store.close() }
    #expect(throws: CancellationError.self) {
      try store.transaction { transaction in
        try transaction.update(City("Oslo"))
        #expect(code { try transaction.insert(City("Oslo")) } == .notUnique)
        throw CancellationError()
      }
    }
    try store.update(City("Oslo"))
    #expect(try store.object(of: City.self).count == 1)
  }

  @Test func aNameThatIsTooLongIsRefused() throws {
    struct ANameThatIsLongerThanTheSixtyThreeBytesThatThisDatabaseServerPermits: MagicObject {
      @MagicValue var text: String = ""
    }
    let store = try TestSchema().open()
    defer { store.close() }
    let object = ANameThatIsLongerThanTheSixtyThreeBytesThatThisDatabaseServerPermits()
    #expect(code { try store.update(object) } == .invalidSchema)
  }
}
