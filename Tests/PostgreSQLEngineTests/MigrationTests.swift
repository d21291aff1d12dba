import Dispatch
import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Migrations of tables to changed types.
@Suite(.requiresPostgreSQL) struct MigrationTests {
  private enum V1 {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var street: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue(.indexed) var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []

      init() {}
      init(_ street: String, price: Double = 0) {
        self.street = street
        self.price = price
      }
    }
  }

  private func saved(_ houses: [V1.House], in schema: TestSchema) throws {
    let store = try schema.open()
    defer { store.close() }
    try store.update(contentsOf: houses)
  }

  // MARK: Columns

  private enum Renamed {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue(.wasNamed("street"), .unique) var address: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue(.indexed, .wasNamed("color")) var paint: String?
      @MagicValue var age: Int = 7
      @MagicValue var flag: Bool = false
      @OptionMagicValue(.wasNamed("owner")) var landlord: Player?
      @MagicValue(.wasNamed("rooms")) var places: [Match] = []
      @MagicValue var text: String = "it's\u{0}\\"
      @MagicValue var data: Data = Data([0, 255])
      @MagicValue var small: Double = 0.1
      @MagicValue var list: [String] = ["a"]
      @MagicValue var born: Date = Date(timeIntervalSinceReferenceDate: 0.5)

      init() {}
    }
  }

  @Test func columnsAreRenamedAddedAndRequired() throws {
    let schema = try TestSchema()
    let house = V1.House("A", price: 0.1)
    house.color = "red"
    house.owner = Player("O")
    house.rooms = [Match("kitchen"), Match("bath")]
    let other = V1.House("B")
    other.age = 3
    try saved([house, other], in: schema)
    let store = try schema.open()
    defer { store.close() }
    let plan = try store.migrationPlan(for: Renamed.House.self)
    #expect(plan.refused.isEmpty)
    #expect(plan.kind == .rewriting)
    #expect(plan.description.contains("RENAME COLUMN \"street\" TO \"address\""))
    // The plan has changed nothing.
    #expect(try schema.run("SELECT street FROM \"House\"").count == 2)

    let houses = try store.object(of: Renamed.House.self)

    #expect(houses.map(\.address) == ["A", "B"])
    #expect(houses.map(\.price) == [0.1, 0])
    #expect(houses.map(\.paint) == ["red", nil])
    #expect(houses.map(\.age) == [7, 3])
    #expect(houses[0].landlord?.name == "O")
    #expect(houses[0].places.map(\.place) == ["kitchen", "bath"])
    #expect(houses.allSatisfy { $0.text == "it's\u{0}\\" && $0.data == Data([0, 255]) })
    #expect(houses.allSatisfy { $0.small == 0.1 && $0.list == ["a"] })
    #expect(houses[0].born == Date(timeIntervalSinceReferenceDate: 0.5))
    #expect(try store.migrationPlan(for: Renamed.House.self).isEmpty)
    let same = Renamed.House()
    same.address = "A"
    #expect(code { try store.update(same) } == .notUnique)
    houses[0].places.append(Match("hall"))
    houses[1].landlord = Player("P")
    try store.update(contentsOf: houses)
    let again = try store.object(of: Renamed.House.self)
    #expect(again[0].places.map(\.place) == ["kitchen", "bath", "hall"])
    #expect(again[1].landlord?.name == "P")
  }

  private enum Dropped {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var street: String = ""

      init() {}
    }
  }

  private enum Deleted {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var street: String = ""

      init() {}

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            ["price", "flag", "color", "rooms"].map { .deleteValue(name: $0) }
          }
        }
      }
    }
  }

  @Test func columnsWithValuesAreDroppedOnlyIfThatIsDeclared() throws {
    let schema = try TestSchema()
    let house = V1.House("A", price: 1)
    house.color = "red"
    house.rooms = [Match("kitchen")]
    try saved([house], in: schema)
    let refusing = try schema.open()
    let plan = try refusing.migrationPlan(for: Dropped.House.self)
    #expect(plan.kind == .destroying)
    #expect(plan.refused.count == 4)
    #expect(throws: MagicError.self) { try refusing.migrate(Dropped.House.self) }
    do {
      _ = try refusing.object(of: Dropped.House.self)
      Issue.record("The migration was not refused.")
    } catch let error as MagicError {
      #expect(error.code == .needsMigration)
      #expect(error.plan?.refused.count == 4)
    }
    refusing.close()
    #expect(try schema.run("SELECT price, color FROM \"House\"").count == 1)

    let store = try schema.open()
    defer { store.close() }
    #expect(try store.migrate(Deleted.House.self).kind == .destroying)

    #expect(try store.object(of: Deleted.House.self).map(\.street) == ["A"])
    let columns = try schema.run(
      "SELECT attname FROM pg_attribute WHERE attrelid = '\"House\"'::regclass "
        + "AND attnum > 0 AND NOT attisdropped")
    #expect(columns.count == 3)
    #expect(
      try schema.run("SELECT to_regclass('\"magic_House.rooms\"') IS NULL").text(0, 0) == "t")
  }

  private enum Converted {
    struct House: MagicObject {
      @MagicValue var id: String
      @MagicValue var street: Data = Data()
      @MagicValue var price: Int = 0
      @OptionMagicValue var age: Double?
      @MagicValue var flag: Int = 0

      init() { id = "" }

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .convertValue(name: "price"), .deleteValue(name: "rooms"),
              .deleteValue(name: "color"),
            ]
          }
        }
      }
    }
  }

  @Test func typesAreConverted() throws {
    let schema = try TestSchema()
    let house = V1.House("Ä", price: 12)
    house.age = 5
    house.flag = true
    let id = house.id
    try saved([house], in: schema)
    let store = try schema.open()
    defer { store.close() }
    let found = try store.object(of: Converted.House.self)
    #expect(found.count == 1)
    #expect(found.first?.id == id.uuidString)
    #expect(found.first?.street == Data("Ä".utf8))
    #expect(found.first?.price == 12)
    #expect(found.first?.age == 5)
    #expect(found.first?.flag == 1)
  }

  @Test func valuesThatCannotBeConvertedAreNamed() throws {
    let schema = try TestSchema()
    try saved([V1.House("A", price: 1), V1.House("B", price: 1.5)], in: schema)
    let store = try schema.open()
    defer { store.close() }
    do {
      _ = try store.object(of: Converted.House.self)
      Issue.record("The migration was not refused.")
    } catch let error as MagicError {
      #expect(error.code == .needsMigration)
      #expect(error.message.contains("row 2 would not keep the value of price"))
    }
    #expect(try schema.run("SELECT price FROM \"House\" WHERE price = 1.5").count == 1)
  }

  // MARK: Relationships

  private enum Old {
    struct Shelf: MagicObject {
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []
      @MagicValue var list: [Match] = []

      init() {}
    }
  }

  private enum Related {
    struct Shelf: MagicObject {
      @MagicValue var owner: [Player] = []
      @OptionMagicValue var rooms: Match?
      @MagicValue(.wasNamed("list")) var set: MagicalSet<Match> = []

      init() {}

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.convertValue(name: "rooms"), .convertValue(name: "set")] }
        }
      }
    }
  }

  @Test func relationshipsBecomeCollectionsAndCollectionsRelationships() throws {
    let schema = try TestSchema()
    let old = try schema.open()
    let shelf = Old.Shelf()
    shelf.owner = Player("O")
    shelf.rooms = [Match("kitchen"), Match("bath")]
    let match = Match("m")
    shelf.list = [match, Match("n"), match]
    try old.update(contentsOf: [shelf, Old.Shelf()])
    old.close()
    let store = try schema.open()
    defer { store.close() }
    let found = try store.object(of: Related.Shelf.self)
    #expect(found.map { $0.owner.map(\.name) } == [["O"], []])
    #expect(found.map { $0.rooms?.place } == ["kitchen", nil])
    #expect(Set(found[0].set.map(\.place)) == ["m", "n"])
    found[1].rooms = Match("hall")
    found[1].owner = [Player("P"), Player("Q")]
    try store.update(found[1])
    let again = try store.object(of: Related.Shelf.self)
    #expect(again[1].rooms?.place == "hall")
    #expect(again[1].owner.map(\.name) == ["P", "Q"])
  }

  // MARK: Tables

  private enum Reach {
    struct Yard: MagicObject {
      static let wasNamed = ["House"]

      @PrimaryMagicValue var id: UUID
      @MagicValue(.unique) var street: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue(.indexed) var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []

      init() {}
    }
  }

  @Test func tablesAreRenamed() throws {
    let schema = try TestSchema()
    let house = V1.House("A", price: 1)
    house.owner = Player("O")
    house.rooms = [Match("kitchen")]
    try saved([house], in: schema)
    // As after a copy of a file, with what a dropped table has left.
    try schema.run(
      """
      CREATE TABLE magic_origins (table_name text PRIMARY KEY, origin text NOT NULL); \
      INSERT INTO magic_origins VALUES ('House', 'own'), ('Yard', 'dropped')
      """)
    let store = try schema.open()
    defer { store.close() }
    #expect(
      try store.migrationPlan(for: Reach.Yard.self).description
        .contains("the table House is renamed to Yard"))
    let yards = try store.object(of: Reach.Yard.self)
    #expect(yards.map(\.street) == ["A"])
    #expect(yards[0].owner?.name == "O")
    #expect(yards[0].rooms.map(\.place) == ["kitchen"])
    let second = Reach.Yard()
    second.street = "B"
    second.owner = Player("P")
    second.rooms = [Match("bath")]
    try store.update(second)
    let same = Reach.Yard()
    same.street = "B"
    #expect(code { try store.update(same) } == .notUnique)
    #expect(try store.object(of: Reach.Yard.self).map { $0.zIndex?.rawValue } == [1, 1001])
    #expect(try schema.run("SELECT to_regclass('\"House\"') IS NULL").text(0, 0) == "t")
    let origins = try schema.run("SELECT table_name || ' ' || origin FROM magic_origins")
    #expect((0..<origins.count).map { origins.text($0, 0) } == ["Yard own"])
  }

  // MARK: Steps

  private enum Stepped {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var name: String = ""
      @MagicValue var price: Int = 0
      @OptionMagicValue var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []
      @MagicValue var label: String

      init() { label = "" }

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.renameValue(name: "street", to: "name")] }
          MigrationStep {
            [.transformValue(name: "price") { (price: Double) in Int(price * 100) }]
          }
          MigrationStep {
            [
              .transformRows { old, new in
                let price = try old.value("price", as: Int.self) ?? 0
                let name = try old.value("name", as: String.self) ?? ""
                try new.set("label", to: "\(name):\(price)")
                try new.set("flag", to: price > 150)
                try new.set(
                  "id",
                  to: UUID(
                    uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(old.zIndex.rawValue)))
                )
              },
              .sql("UPDATE \"House\" SET age = price + 1"),
            ]
          }
        }
      }
    }
  }

  @Test func stepsWithClosuresAndSQLRunInOrder() throws {
    let schema = try TestSchema()
    let house = V1.House("A", price: 1.25)
    house.owner = Player("O")
    house.color = "red"
    try saved([house, V1.House("B", price: 2)], in: schema)
    let store = try schema.open()
    defer { store.close() }
    let plan = try store.migrationPlan(for: Stepped.House.self)
    #expect(plan.refused.isEmpty)
    #expect(plan.steps.contains { $0.summary.contains("by a closure") && $0.sql.isEmpty })
    let found = try store.object(of: Stepped.House.self)
    #expect(found.map(\.label) == ["A:125", "B:200"])
    #expect(found.map(\.price) == [125, 200])
    #expect(found.map(\.flag) == [false, true])
    #expect(found.map(\.age) == [126, 201])
    #expect(found.map(\.color) == ["red", nil])
    #expect(found[0].owner?.name == "O")
    #expect(found[1].id.uuidString.hasSuffix("02"))
    // The program of the version before may no longer use the table.
    let old = try schema.open()
    defer { old.close() }
    #expect(code { _ = try old.object(of: V1.House.self) } == .newerSchema)
    #expect(code { try old.update(V1.House("C")) } == .newerSchema)
  }

  private enum Failing {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var address: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue(.indexed) var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []
      @MagicValue var added: Int = 0

      init() {}

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.renameValue(name: "street", to: "address")] }
          MigrationStep {
            [
              .transformRows { old, _ in
                if old.zIndex.rawValue == 2 { throw CancellationError() }
              }
            ]
          }
        }
      }
    }
  }

  @Test func aStepThatFailsChangesNothing() throws {
    let schema = try TestSchema()
    try saved([V1.House("A"), V1.House("B")], in: schema)
    let store = try schema.open()
    #expect(throws: CancellationError.self) { try store.migrate(Failing.House.self) }
    try store.transaction { transaction in
      // The transaction continues after the failed part.
      #expect(throws: CancellationError.self) { _ = try transaction.update(Failing.House()) }
      try transaction.update(City("Oslo"))
    }
    #expect(try store.object(of: City.self).count == 1)
    store.close()
    let old = try schema.open()
    defer { old.close() }
    #expect(try old.object(of: V1.House.self).map(\.street) == ["A", "B"])
  }

  // MARK: Fleets

  private enum Added {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue var street: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue(.indexed) var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []
      @MagicValue var added: Int = 1

      init() {}

      static var migrations: Migrations { Migrations { MigrationStep { [] } } }
    }
  }

  @Test func oneProcessOfSeveralMigratesAndOlderProgramsStop() throws {
    let schema = try TestSchema()
    try saved([V1.House("A")], in: schema)
    let old = try schema.open()
    defer { old.close() }
    #expect(try old.object(of: V1.House.self).count == 1)
    let stores = try (0..<4).map { _ in try schema.open() }
    defer { for store in stores { store.close() } }
    DispatchQueue.concurrentPerform(iterations: stores.count) { index in
      #expect((try? stores[index].object(of: Added.House.self))?.map(\.added) == [1])
    }
    // A program that was running writes no row that the new type refuses.
    #expect(code { try old.update(V1.House("B")) } == .newerSchema)
    #expect(try stores[0].object(of: Added.House.self).count == 1)
    #expect(try schema.run("SELECT FROM magic_format WHERE migrations = 1").count == 1)
  }

  /// The row is sent together with the begin of its transaction, before the number of migrations is known.
  @Test func aRunningProgramSavesNothingAfterAMigration() async throws {
    let schema = try TestSchema()
    let old = try await schema.openMagicData()
    for street in ["A", "B", "C"] { try await old.update(V1.House(street)) }
    let new = try await schema.openMagicData()
    #expect(try await new.object(of: Added.House.self).count == 3)
    #expect(await code { try await old.update(V1.House("D")) } == .newerSchema)
    #expect(try await new.object(of: Added.House.self).count == 3)
    await new.close()
    await old.close()
  }

  @Test func aKnownQueryNoticesTheMigrationOfAnotherProcess() throws {
    let schema = try TestSchema()
    try saved([V1.House("A")], in: schema)
    let old = try schema.open()
    defer { old.close() }
    func count() throws -> Int {
      try old.transaction { transaction in try transaction.query(V1.House.self).count() }
    }
    #expect(try count() == 1)
    let store = try schema.open()
    defer { store.close() }
    try store.migrate(Added.House.self)
    #expect(code { _ = try count() } == .newerSchema)
  }

  @Test func transactionsOfOtherProcessesAreNotWaitedForWithoutEnd() throws {
    let schema = try TestSchema()
    try saved([V1.House("A")], in: schema)
    let other = try schema.server.connect()
    defer { other.close() }
    try other.execute("SET search_path TO \"\(schema.name)\"; BEGIN")
    try other.execute("LOCK TABLE magic_format IN ROW SHARE MODE")
    let store = try schema.open(migrationTimeout: 0.2)
    defer { store.close() }
    #expect(code { try store.migrate(Added.House.self) } == .busy)
    #expect(code { _ = try store.object(of: Added.House.self) } == .busy)
    try other.execute("ROLLBACK")
    #expect(try store.object(of: Added.House.self).map(\.added) == [1])
  }

  @Test func aTableThatIsUsedIsNotWaitedForWithoutEnd() throws {
    let schema = try TestSchema()
    try saved([V1.House("A")], in: schema)
    let reader = try schema.server.connect()
    defer { reader.close() }
    try reader.execute("SET search_path TO \"\(schema.name)\"; BEGIN")
    try reader.execute("SELECT * FROM \"House\"")
    let store = try schema.open(migrationTimeout: 0.2)
    defer { store.close() }
    do {
      try store.migrate(Added.House.self)
      Issue.record("The migration did not wait.")
    } catch let error as MagicError {
      #expect(error.code == .busy)
      #expect(error.message.contains("Nothing was changed"))
    }
    try reader.execute("COMMIT")
    #expect(try store.object(of: Added.House.self).map(\.added) == [1])
  }

  private enum Numbered {
    struct House: MagicObject {
      @PrimaryMagicValue var number: Int
      @MagicValue var street: String = ""

      init() {}

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            ["id", "price", "flag"].map { .deleteValue(name: $0) }
          }
        }
      }
    }
  }

  @Test func aNewAutoIncrementPrimaryIsNumbered() throws {
    let schema = try TestSchema()
    try saved([V1.House("A"), V1.House("B")], in: schema)
    let store = try schema.open()
    defer { store.close() }
    #expect(try store.object(of: Numbered.House.self).map(\.number) == [1, 2])
    let house = Numbered.House()
    try store.update(house)
    #expect(house.number == 3)
  }

  private enum UniqueStreet {
    struct House: MagicObject {
      @PrimaryMagicValue var id: UUID
      @MagicValue(.unique) var street: String = ""
      @MagicValue var price: Double = 0
      @OptionMagicValue var color: String?
      @OptionMagicValue var age: Int?
      @MagicValue var flag: Bool = false
      @OptionMagicValue var owner: Player?
      @MagicValue var rooms: [Match] = []

      init() {}
    }
  }

  @Test func indexesAreCreatedWhileOthersWrite() throws {
    let schema = try TestSchema()
    try saved([V1.House("A"), V1.House("A")], in: schema)
    let store = try schema.open()
    defer { store.close() }
    #expect(
      code { try store.createIndexesConcurrently(for: UniqueStreet.House.self) } == .notUnique)
    #expect(try schema.run("SELECT FROM pg_index WHERE NOT indisvalid").count == 0)
    try schema.run("UPDATE \"House\" SET street = 'B' WHERE z_index = 2")
    // The form in which an interrupted creation leaves an index.
    let names = try store.createIndexesConcurrently(for: UniqueStreet.House.self)
    #expect(names.count == 1)
    try schema.run(
      "UPDATE pg_index SET indisvalid = false FROM pg_class AS c WHERE c.oid = indexrelid "
        + "AND indrelid = '\"House\"'::regclass AND indisunique AND c.relname LIKE 'magic_index_%' "
        + "AND indkey[0] = (SELECT attnum FROM pg_attribute WHERE attrelid = indrelid "
        + "AND attname = 'street')")
    let again = try store.createIndexesConcurrently(for: UniqueStreet.House.self)
    #expect(again.count == 2 && again[0].contains("DROP INDEX CONCURRENTLY"))
    #expect(try store.createIndexesConcurrently(for: UniqueStreet.House.self).isEmpty)
    // The migration finds the index.
    let plan = try store.migrate(UniqueStreet.House.self)
    #expect(!plan.description.contains("UNIQUE"))
    #expect(
      code {
        try store.transaction { transaction in
          for _ in 0..<2 {
            let house = UniqueStreet.House()
            house.street = "C"
            _ = try transaction.insert(house)
          }
        }
      } == .notUnique)
  }

  @Test func duplicatesOfANewUniqueIndexAreNamed() throws {
    let schema = try TestSchema()
    try saved([V1.House("A"), V1.House("B"), V1.House("A")], in: schema)
    let store = try schema.open()
    defer { store.close() }
    do {
      try store.migrate(UniqueStreet.House.self)
      Issue.record("The duplicates were accepted.")
    } catch let error as MagicError {
      #expect(error.code == .notUnique)
      #expect(error.message.contains("rows 1, 3 have duplicate values of street"))
    }
    try schema.run("UPDATE \"House\" SET street = 'C' WHERE z_index = 3")
    try store.migrate(UniqueStreet.House.self)
    #expect(try store.object(of: UniqueStreet.House.self).map(\.street) == ["A", "B", "C"])
  }
}
