import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import Testing

/// The steps that a type declares. Each enumeration holds a version of one type.
@Suite(.everyEngine, .requires([.migration, .reopening])) struct StepTests {
  let scratch = Scratch()

  enum First {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Double
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      init() {}
      init(_ title: String, _ price: Double) { (self.title, self.price) = (title, price) }
    }
  }

  struct Part: MagicObject {
    @MagicValue var name: String
    init() {}
    init(_ name: String) { self.name = name }
  }

  private func makeFirst(_ count: Int = 3) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let wares = (1...count).map { number in
      let ware = First.Ware("ware \(number)", Double(number) + 0.25)
      if number % 2 == 1 { ware.note = "note \(number)" }
      ware.parts = [Part("a\(number)"), Part("b\(number)")]
      return ware
    }
    try await magic.update(contentsOf: wares)
    await magic.close()
  }

  private func using(_ body: (MagicData) async throws -> Void) async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    do {
      try await body(magic)
      #expect(try await magic.verify().isSound)
      await magic.close()
    } catch {
      await magic.close()
      throw error
    }
  }

  private func version() throws -> Int64? {
    try scratch.raw().integer("SELECT version FROM magic_catalogue WHERE table_name = 'Ware'")
  }

  // MARK: Each change

  enum Cents {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [.transformValue(name: "price") { (price: Double) in Int(price * 100) }]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func aClosureComputesTheValuesOfAColumn() async throws {
    try await makeFirst()
    try await using { magic async throws in
      let wares = try await magic.object(of: Cents.Ware.self)
      #expect(wares.map(\.price) == [125, 225, 325])
      #expect(wares.map(\.id) == [1, 2, 3])
      #expect(wares.map { $0.parts.map(\.name) } == [["a1", "b1"], ["a2", "b2"], ["a3", "b3"]])
      wares[0].price = 7
      try await magic.update(wares[0])
    }
    #expect(try version() == 1)
    try await using { magic async throws in
      // A step is executed once.
      #expect(try await magic.object(of: Cents.Ware.self).map(\.price) == [7, 225, 325])
      #expect(try await magic.migrationPlan(for: Cents.Ware.self).isEmpty)
    }
  }

  enum Joined {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue var label: String
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformRows { old, new in
                let title = try old.value("title", as: String.self) ?? ""
                let price = try old.value("price", as: Double.self) ?? 0
                let note: String? = try old.value("note")
                try new.set("label", to: "\(title) for \(price)\(note.map { ", \($0)" } ?? "")")
              }, .deleteValue(name: "title"), .deleteValue(name: "price"),
              .deleteValue(name: "note"),
            ]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func aClosureReadsSeveralColumnsOfARow() async throws {
    try await makeFirst()
    try await using { magic async throws in
      let plan = try await magic.migrationPlan(for: Joined.Ware.self)
      #expect(plan.kind == .destroying)
      #expect(plan.refused.isEmpty)
      let wares = try await magic.object(of: Joined.Ware.self)
      #expect(
        wares.map(\.label) == [
          "ware 1 for 1.25, note 1", "ware 2 for 2.25", "ware 3 for 3.25, note 3",
        ])
      #expect(wares.allSatisfy { $0.parts.count == 2 })
    }
    let columns = try scratch.raw().columns(of: "Ware")
    #expect(columns == ["z_index", "id", "label"])
  }

  enum Renamed {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var name: String
      @MagicValue var price: Double
      @OptionMagicValue var note: String?
      @MagicValue var pieces: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [.renameValue(name: "title", to: "name"), .renameValue(name: "parts", to: "pieces")]
          }
        }
      }
    }
  }

  @Test func columnsAndCollectionsAreRenamed() async throws {
    try await makeFirst()
    try await using { magic async throws in
      #expect(try await magic.migrationPlan(for: Renamed.Ware.self).kind == .additive)
      let wares = try await magic.object(of: Renamed.Ware.self)
      #expect(wares.map(\.name) == ["ware 1", "ware 2", "ware 3"])
      #expect(wares.map { $0.pieces.map(\.name) } == [["a1", "b1"], ["a2", "b2"], ["a3", "b3"]])
      wares[0].pieces.append(Part("c"))
      try await magic.update(wares[0])
    }
    try await using { magic async throws in
      #expect(
        try await magic.object(of: Renamed.Ware.self)[0].pieces.map(\.name) == ["a1", "b1", "c"])
    }
  }

  enum Told {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Double
      @MagicValue var kind: String
      @OptionMagicValue var length: Int?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .addOptionalValue(name: "length"),
              .sql("UPDATE Ware SET kind = 'k' || id, length = length(title)"),
              .deleteValue(name: "note"),
            ]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func sqlUsesTheColumnsOfTheCurrentType() async throws {
    try await makeFirst()
    try await using { magic async throws in
      let wares = try await magic.object(of: Told.Ware.self)
      #expect(wares.map(\.kind) == ["k1", "k2", "k3"])
      #expect(wares.map(\.length) == [6, 6, 6])
    }
  }

  @Test func aClosureAddsItsColumnToAnEmptyTable() async throws {
    try await makeFirst()
    try await using { magic async throws in try await magic.removeAll(of: First.Ware.self) }
    try await using { magic async throws in
      #expect(try await magic.object(of: Cents.Ware.self).isEmpty)
      let ware = Cents.Ware()
      (ware.title, ware.price) = ("new", 3)
      try await magic.update(ware)
      // The row ID of a removed row is not used again.
      #expect(ware.id == 4)
    }
  }

  enum Counted {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Double
      @OptionMagicValue var note: Int?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "note") { (note: String) in note.count }] }
        }
      }
    }
  }

  @Test(.requires(.files)) func aClosureAddsItsColumnIfAllValuesAreNull() async throws {
    try await makeFirst()
    try scratch.raw().execute("UPDATE Ware SET note = NULL")
    try await using { magic async throws in
      #expect(try await magic.object(of: Counted.Ware.self).map(\.note) == [nil, nil, nil])
    }
  }

  struct City: MagicObject {
    @MagicValue var name: String
  }

  enum Placed {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Double
      @OptionMagicValue var note: String?
      @OptionMagicValue var city: City?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .sql("INSERT INTO City (name) SELECT DISTINCT note FROM Ware WHERE note IS NOT NULL"),
              .sql("UPDATE Ware SET city = (SELECT z_index FROM City WHERE name = note)"),
            ]
          }
        }
      }
    }
  }

  @Test(.requires(.files)) func sqlConvertsTextsToObjects() async throws {
    try await makeFirst()
    try await using { magic async throws in
      let types: [any MagicObject.Type] = [Placed.Ware.self]
      #expect(try await magic.migrate(types).kind == .rewriting)
      let wares = try await magic.object(of: Placed.Ware.self)
      #expect(wares.map { $0.city?.name } == ["note 1", nil, "note 3"])
    }
  }

  // MARK: Versions

  enum Third {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var name: String
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          Cents.Ware.migrations.steps
          MigrationStep { [.renameValue(name: "title", to: "heading")] }
          MigrationStep { [.renameValue(name: "heading", to: "name")] }
          MigrationStep(10) {
            [.transformValue(name: "name") { (name: String) in name.uppercased() }]
          }
        }
      }
    }
  }

  @Test(.requires(.files), arguments: [false, true]) func anyNumberOfVersionsMayBeSkipped(
    hasSecond: Bool
  ) async throws {
    try await makeFirst()
    if hasSecond {
      try await using { _ = try await $0.object(of: Cents.Ware.self) }
      #expect(try version() == 1)
    }
    try await using { magic async throws in
      let wares = try await magic.object(of: Third.Ware.self)
      #expect(wares.map(\.name) == ["WARE 1", "WARE 2", "WARE 3"])
      #expect(wares.map(\.price) == [125, 225, 325])
    }
    #expect(try version() == 10)
  }

  @Test(.requires(.files)) func aFileOfALaterVersionIsRefusedAndNotChanged() async throws {
    try await makeFirst()
    try await using { _ = try await $0.object(of: Third.Ware.self) }
    let before = try Data(contentsOf: URL(fileURLWithPath: scratch.file()))
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for attempt in 0..<4 {
      let error = await #expect(throws: MagicError.self) {
        switch attempt {
        case 0: _ = try await magic.object(of: Cents.Ware.self)
        case 1: try await magic.update(First.Ware("x", 1))
        case 2: try await magic.migrate(First.Ware.self)
        default: _ = try await magic.migrationPlan(for: First.Ware.self)
        }
      }
      #expect(error?.code == .newerSchema)
      #expect(error?.type == "Ware")
      #expect(
        error?.message.contains("keep the migration steps of earlier versions") == true,
        "\(error as Any)")
    }
    await magic.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.file())) == before)
  }

  @Test(.requires(.files)) func aNewTableCountsAsMigratedByAllSteps() async throws {
    try await using { magic async throws in
      let ware = Third.Ware()
      (ware.name, ware.price) = ("new", 3)
      try await magic.update(ware)
      #expect(try await magic.object(of: Third.Ware.self).map(\.name) == ["new"])
    }
    #expect(try version() == 10)
    try await using { magic async throws in
      #expect(try await magic.object(of: Third.Ware.self).map(\.name) == ["new"])
    }
  }

  enum Aliased {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.wasNamed("title"), .indexed) var label: String
      @MagicValue(.wasNamed("price")) var cost: Int
      @OptionMagicValue var note: String?
      @MagicValue(.wasNamed("parts")) var pieces: MagicalSet<Part> = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformRows { old, new in
                let label: String? = try old.value("label")
                try new.set("label", to: label?.uppercased())
              }
            ]
          }
          MigrationStep {
            [.transformValue(name: "cost") { (price: Double) in Int(price) }]
          }
        }
      }
    }
  }

  @Test func aStepFindsAColumnThatHadAnotherName() async throws {
    try await makeFirst()
    try await using { magic async throws in
      let plan = try await magic.migrationPlan(for: Aliased.Ware.self)
      #expect(plan.refused.isEmpty, "\(plan)")
      let wares = try await magic.object(of: Aliased.Ware.self)
      #expect(wares.map(\.label) == ["WARE 1", "WARE 2", "WARE 3"])
      #expect(wares.map(\.cost) == [1, 2, 3])
      #expect(wares.map { Set($0.pieces.map(\.name)) }.first == ["a1", "b1"])
    }
  }

  enum Partial {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: MagicAsset<String>
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "note") { (note: String) in note + "!" }] }
        }
      }
    }
  }

  @Test(.requires(.files)) func thePlanOfAClosureForOnePropertyKeepsTheOthers() async throws {
    try await makeFirst()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let plan = try await magic.migrationPlan(for: Partial.Ware.self)
    #expect(plan.refused.count == 1)
    #expect(
      plan.refused.first?.refusal?.contains("title is a column of type text in the file") == true)
    #expect(
      plan.refused.first?.refusal?.contains("rows 1, 2, 3 would not keep the value of price")
        == true)
    await magic.close()
  }

  // MARK: Errors

  struct Unwilling: Error {}

  enum Failing {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [.renameValue(name: "title", to: "x"), .renameValue(name: "x", to: "y")]
          }
        }
      }
    }

    struct Thrower: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep {
            [
              .transformValue(name: "price") { (price: Double) in
                if price > 2 { throw Unwilling() }
                return Int(price)
              }
            ]
          }
        }
      }
    }
  }

  @Test func changesThatContradictEachOtherAreRefused() async throws {
    try await makeFirst()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Failing.Ware.self)
    }
    #expect(error?.code == .invalidMigration)
    #expect(error?.message.contains("x") == true)
    await magic.close()
  }

  @Test(.requires(.files)) func aClosureThatThrowsChangesNothing() async throws {
    try await makeFirst()
    let before = try scratch.raw().texts("SELECT sql FROM sqlite_master ORDER BY name")
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Failing.Thrower.self)
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.cause is Unwilling)
    #expect(error?.message.contains("row 2") == true)
    await magic.close()
    #expect(try scratch.raw().texts("SELECT sql FROM sqlite_master ORDER BY name") == before)
    try await using { magic async throws in
      #expect(try await magic.object(of: First.Ware.self).map(\.price) == [1.25, 2.25, 3.25])
    }
  }

  enum Mistyped {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var price: Int
      @OptionMagicValue var note: String?
      @MagicValue var parts: [Part] = []

      static var migrations: Migrations {
        Migrations {
          MigrationStep { [.transformValue(name: "price") { (price: Double) in "\(price)" }] }
        }
      }
    }
  }

  @Test func aClosureWithAnotherResultTypeIsRefused() async throws {
    try await makeFirst()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await magic.migrate(Mistyped.Ware.self)
    }
    #expect(error?.code == .needsMigration)
    #expect(error?.message.contains("rows 1, 2, 3") == true)
    await magic.close()
    try await using { magic async throws in
      #expect(try await magic.object(of: First.Ware.self).map(\.price) == [1.25, 2.25, 3.25])
    }
  }

  enum Undeclared {
    struct Ware: MagicObject {
      static var tableName: String { "Ware" }
      @PrimaryMagicValue var id: Int
      @MagicValue(.indexed) var title: String
      @MagicValue var parts: [Part] = []
    }
  }

  @Test func aLossOfDataIsRefusedAndThePlanIsInTheError() async throws {
    try await makeFirst()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for attempt in 0..<2 {
      let error = await #expect(throws: MagicError.self) {
        if attempt == 0 {
          try await magic.migrate(Undeclared.Ware.self)
        } else {
          _ = try await magic.object(of: Undeclared.Ware.self)
        }
      }
      #expect(error?.code == .needsMigration)
      let plan = try #require(error?.plan)
      #expect(plan.kind == .destroying)
      #expect("\(plan)".contains("price is dropped, with the values of 3 rows"))
      #expect("\(plan)".contains(".deleteValue(name: \"note\")"))
    }
    await magic.close()
    try await using { magic async throws in
      #expect(try await magic.object(of: First.Ware.self).map(\.note) == ["note 1", nil, "note 3"])
    }
  }

  // MARK: The call

  @Test(.requires(.files)) func aBackupIsWrittenBeforeRowsAreRewritten() async throws {
    try await makeFirst()
    let copy = scratch.file("before.sqlite3")
    try await using { magic async throws in
      try await magic.migrate(Cents.Ware.self, backup: copy)
      // Nothing is left to migrate, so no backup is written.
      try await magic.migrate(Cents.Ware.self, backup: copy)
    }
    let old = try await MagicData.onTestedEngine(path: copy)
    #expect(try await old.object(of: First.Ware.self).map(\.price) == [1.25, 2.25, 3.25])
    #expect(try await old.verify().isSound)
    await old.close()
  }

  @Test(.requires(.files)) func noBackupIsWrittenIfNoRowIsRewritten() async throws {
    try await makeFirst()
    let copy = scratch.file("before.sqlite3")
    try await using { _ = try await $0.migrate(Renamed.Ware.self, backup: copy) }
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test(.requires(.files)) func aBackupThatFailsEndsTheMigration() async throws {
    try await makeFirst()
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let error = await #expect(throws: MagicError.self) {
      try await magic.migrate(Cents.Ware.self, backup: scratch.file())
    }
    #expect(error?.code == .fileExists)
    await magic.close()
    #expect(try version() == 0)
  }

  @Test func progressIsReported() async throws {
    try await makeFirst(25)
    let recorder = Recorder<String>()
    try await using { magic async throws in
      try await magic.migrate(Cents.Ware.self) { recorder.note("\($0)") }
    }
    #expect(
      recorder.all.first == "Ware: 100 %, 25 of 25 rows"
        || recorder.all.first == "Ware: 0 %, 0 of 25 rows")
    #expect(recorder.all.last == "Ware: 100 %, 25 of 25 rows")
  }

  @Test(.requires(.files)) func anOpenTransactionMigratesToo() async throws {
    try await makeFirst()
    try await using { magic async throws in
      try await magic.transaction { transaction in
        try transaction.update(Part("before"))
        #expect(try transaction.object(of: Cents.Ware.self).map(\.price) == [125, 225, 325])
      }
    }
    #expect(try version() == 1)
  }
}
