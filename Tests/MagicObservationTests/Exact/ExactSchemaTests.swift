import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Schemas of observed tables, and their changes.
@Suite struct ExactSchemaTests {
  struct Quoted: MagicObject {
    static var tableName: String { "it's \"quoted\" [and] spaced" }
    @PrimaryMagicValue var id: Int
    @MagicValue(.named("a \"b\" 'c'")) var text: String = ""
    @MagicValue var tags: [ExactTag] = []
  }

  @Test func tablesWhoseNamesHaveQuotesAndSpacesAreReported() async throws {
    let magic = try await MagicData(type: .temporary)
    let texts = try await reported(Quoted.self, in: magic) {
      let object = Quoted()
      try await $0.update(object)
      object.text = "t"
      object.tags = [ExactTag("t")]
      try await $0.update(object)
      try await $0.remove(object)
    }
    #expect(texts == ["+1", "1:text,tags", "-1"])
  }

  @Test func anIndexIsNoChange() async throws {
    #expect(
      try await reported(
        "CREATE INDEX i ON ExactItem (remark)", "CREATE TABLE other (n)",
        "UPDATE ExactItem SET remark = 'r' WHERE id = 1", "DROP INDEX i", "DROP TABLE other",
        "UPDATE ExactItem SET remark = 'r' WHERE id = 2") == ["1:remark", "2:remark"])
  }

  @Test func anIndexCreatedInATransactionKeepsTheRecordedChanges() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.sql("UPDATE ExactItem SET name = 'n' WHERE id = 1").run()
        try transaction.sql("CREATE INDEX i ON ExactItem (remark)").run()
        try transaction.sql("UPDATE ExactItem SET name = 'n' WHERE id = 2").run()
        try transaction.sql("DROP INDEX i").run()
        try transaction.sql("UPDATE ExactItem SET name = 'n' WHERE id = 3").run()
      }
    }
    #expect(texts == ["1:name 2:name 3:name"])
  }

  @Test func anAddedColumnIsReportedOnceAsIncomplete() async throws {
    #expect(
      try await reported(
        "ALTER TABLE ExactItem ADD COLUMN more DEFAULT 1",
        "UPDATE ExactItem SET name = 'n', more = 2 WHERE id = 1",
        "DELETE FROM ExactItem WHERE id = 1") == ["?", "1:name", "-1"])
  }

  @Test(.enabled(if: SQLiteFeature.dropColumn.isThere, "DROP COLUMN needs SQLite 3.35."))
  func aColumnIsDroppedAsWithoutObservers() async throws {
    #expect(
      try await reported(
        "ALTER TABLE ExactItem DROP COLUMN remark", "UPDATE ExactItem SET name = 'n' WHERE id = 1")
        == ["?", "1:name"])
  }

  @Test func aColumnIsRenamedAsWithoutObservers() async throws {
    #expect(
      try await reported(
        "ALTER TABLE ExactItem RENAME COLUMN weight TO other",
        "UPDATE ExactItem SET name = 'n', other = 0.5 WHERE id = 2") == ["?", "2:name"])
  }

  @Test func alteringATableKeepsTheRecordedChangesOfOthers() async throws {
    let magic = try await exactItems()
    try await magic.update(ExactTag("t"))
    let tags = magic.changes(of: ExactTag.self)
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        try transaction.sql("UPDATE ExactItem SET name = 'n' WHERE id = 1").run()
        try transaction.sql("ALTER TABLE ExactTag ADD COLUMN more").run()
        #expect(throws: MagicError.self) {
          try transaction.sql("ALTER TABLE ExactTag ADD COLUMN more").run()
        }
        try transaction.sql("UPDATE ExactItem SET name = 'n' WHERE id = 2").run()
      }
    }
    #expect(texts == ["1:name 2:name"])
    #expect(await MagicObservationTests.texts(tags) == ["?"])
  }

  @Test func aTableThatIsRenamedAndRenamedBackIsIncomplete() async throws {
    #expect(
      try await reported(
        "ALTER TABLE ExactItem RENAME TO other", "UPDATE other SET name = 'n'",
        "ALTER TABLE other RENAME TO ExactItem", "UPDATE ExactItem SET name = 'm' WHERE id = 1")
        == ["?", "?", "1:name"])
  }

  @Test func rawSQLCannotAccessTheTablesWhoseSchemaHasChanged() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) { magic async throws in
      try await magic.transaction { transaction in
        try transaction.sql("ALTER TABLE ExactItem ADD COLUMN extra").run()
        let recorded = try transaction.sql("SELECT count(*) FROM temp.magic_altered").value(
          Int.self)
        #expect(recorded == 1)
        #expect(throws: MagicError.self) { try transaction.sql("DELETE FROM magic_altered").run() }
      }
    }
    #expect(texts == ["?"])
  }

  @Test func aTriggerOfTheFileCannotRecordRows() async throws {
    let magic = try await exactItems()
    let changes = magic.changes(of: ExactItem.self)
    let error = await #expect(throws: MagicError.self) {
      try await magic.sql(
        "CREATE TRIGGER other AFTER UPDATE ON ExactItem BEGIN SELECT magic_touch(1, 2, 0, 0); END"
      ).run()
      try await magic.sql("UPDATE ExactItem SET name = 'n' WHERE id = 1").run()
    }
    #expect(error?.code == .untrustedSchema)
    await magic.close()
    withExtendedLifetime(changes) {}
  }

  @Test func aDroppedTableIsIncomplete() async throws {
    #expect(try await reported("DROP TABLE ExactItem") == ["?"])
  }

  @Test func aDropThatIsRolledBackIsNotReported() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      for _ in 0..<2 {
        try await $0.transaction { transaction in
          try transaction.sql("UPDATE ExactItem SET weight = weight + 1 WHERE id = 1").run()
          for _ in 0..<2 {
            #expect(throws: ExactFailure.self) {
              try transaction.transaction { inner in
                try inner.sql("UPDATE ExactItem SET name = 'n' WHERE id = 3").run()
                try inner.sql("DROP TABLE ExactItem").run()
                throw ExactFailure()
              }
            }
          }
          try transaction.sql("UPDATE ExactItem SET weight = weight + 1 WHERE id = 2").run()
        }
      }
    }
    #expect(texts == ["1:weight 2:weight", "1:weight 2:weight"])
  }

  @Test func aTableThatIsDroppedAfterARolledBackDropIsIncomplete() async throws {
    let magic = try await exactItems()
    let texts = try await reported(ExactItem.self, in: magic) {
      try await $0.transaction { transaction in
        #expect(throws: ExactFailure.self) {
          try transaction.transaction { inner in
            try inner.sql("DROP TABLE ExactItem").run()
            throw ExactFailure()
          }
        }
        try transaction.sql("DROP TABLE ExactItem").run()
      }
    }
    #expect(texts == ["?"])
  }

  @Test func aDroppedJoinTableIsAChangeOfItsOwners() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(ExactBox("a"))
    #expect(
      try await reported(ExactBox.self, in: magic) {
        try await $0.sql("DROP TABLE \(links: \ExactBox.$named)").run()
      } == ["?"])
  }

  struct Old: MagicObject {
    static var tableName: String { "ExactMigrated" }
    @PrimaryMagicValue var id: Int
    @MagicValue var name: String = ""
    @MagicValue var number: Int = 0
  }

  struct New: MagicObject {
    static var tableName: String { "ExactMigrated" }
    @PrimaryMagicValue var id: Int
    @MagicValue var name: String = ""
    @MagicValue var number: Double = 0
    @OptionMagicValue var remark: String?
    @MagicValue var tags: [ExactTag] = []

    static var migrations: Migrations {
      Migrations {
        MigrationStep { [.sql("UPDATE ExactMigrated SET name = 'migrated'")] }
        MigrationStep { [.sql("CREATE INDEX migrated ON ExactMigrated (name)")] }
      }
    }
  }

  struct Failing: MagicObject {
    static var tableName: String { "ExactMigrated" }
    @PrimaryMagicValue var id: Int
    @MagicValue var name: String = ""
    @MagicValue var number: Double = 0

    static var migrations: Migrations {
      Migrations {
        MigrationStep {
          [.transformValue(name: "number") { (_: Int) -> Double in throw ExactFailure() }]
        }
      }
    }
  }

  private func migrated(
    _ body: (MagicData) async throws -> Void
  ) async throws -> [String] {
    let directory = try TemporaryDirectory()
    let path = directory.file("test.sqlite3").path
    let old = try await MagicData(path: path)
    try await old.update(contentsOf: [Old(), Old()])
    await old.close()
    let magic = try await MagicData(path: path)
    let texts = try await reported(New.self, in: magic, body)
    withExtendedLifetime(directory) {}
    return texts
  }

  @Test func aMigrationIsIncompleteAndLaterChangesAreExact() async throws {
    let texts = try await migrated {
      try await $0.sql("UPDATE ExactMigrated SET name = 'n' WHERE id = 1").run()
      try await $0.migrate(New.self)
      let object = try await $0.object(of: New.self, primary: 1)
      object.remark = "r"
      object.tags = [ExactTag("t")]
      try await $0.update(object)
      try await $0.sql("UPDATE ExactMigrated SET number = 0.5 WHERE id = 2").run()
    }
    #expect(texts == ["1:name", "?", "1:remark,tags", "2:number"])
  }

  @Test func aMigrationInATransactionIsIncomplete() async throws {
    let texts = try await migrated {
      try await $0.transaction { transaction in
        try transaction.sql("UPDATE ExactMigrated SET name = 'n' WHERE id = 1").run()
        try transaction.update(New())
      }
      try await $0.query(New.self).delete()
    }
    #expect(texts == ["+3 ?", "-1 -2 -3"])
  }

  @Test func aRolledBackMigrationIsNotReported() async throws {
    let texts = try await migrated { magic async throws in
      try await magic.sql("UPDATE ExactMigrated SET name = 'n' WHERE id = 1").run()
      await #expect(throws: (any Error).self) { try await magic.migrate(Failing.self) }
      try await magic.transaction { transaction in
        try transaction.sql("UPDATE ExactMigrated SET number = 3 WHERE id = 1").run()
        #expect(throws: (any Error).self) { try transaction.update(Failing()) }
        try transaction.sql("UPDATE ExactMigrated SET number = 4 WHERE id = 2").run()
      }
      try await magic.sql("UPDATE ExactMigrated SET name = 'm' WHERE id = 2").run()
    }
    #expect(texts == ["1:name", "1:number 2:number", "2:name"])
  }
}
