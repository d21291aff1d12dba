import Foundation
import MagicData
import MagicStore
import MagicTestSupport
import Testing

/// Regressions: cases that dropped the triggers of observers, or reported changes of others.
@Suite(.timeLimit(.minutes(5))) struct SilenceTests {
  enum Old {
    struct Strict: MagicObject {
      static var tableName: String { "Strict" }
      @MagicValue var name: String = ""
      @MagicValue var lost: Int = 1
      init() {}
    }
    struct Stepping: MagicObject {
      static var tableName: String { "Stepping" }
      @MagicValue var name: String = ""
      init() {}
    }
  }

  struct Strict: MagicObject {
    @MagicValue var name: String = ""
    init() {}
  }

  struct Stepping: MagicObject {
    @MagicValue var name: String = ""
    static var migrations: Migrations {
      Migrations { MigrationStep { [.sql("ALTER TABLE Human DROP COLUMN extra")] } }
    }
    init() {}
  }

  @Test func aMigrationWithoutEffectSilencesNoObserver() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Human("Ada"))
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    var values = magic.query(Human.self).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    try await magic.update(Human("Grace"))
    #expect(await changes.next()?.inserted.count == 1)
    for _ in 0..<2 {
      try await magic.migrate(Human.self)
      try await magic.update(Human("Alan"))
      #expect(await changes.next()?.inserted.count == 1)
    }
    #expect(try await values.next()?.count == 4)
  }

  @Test func aRefusedMigrationSilencesNoObserver() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("old.sqlite3").path
    let old = try await MagicData(path: path)
    try await old.update(Old.Strict())
    await old.close()

    let magic = try await MagicData(path: path)
    try await magic.update(Human("Ada"))
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    try await magic.update(Human("Grace"))
    #expect(await changes.next()?.inserted.count == 1)
    let error = await #expect(throws: MagicError.self) { try await magic.migrate(Strict.self) }
    #expect(error?.code == .needsMigration)
    try await magic.update(Human("Alan"))
    #expect(await changes.next()?.inserted.count == 1)
    await magic.close()
  }

  /// SQLite drops no column that a trigger names.
  @Test(.enabled(if: SQLiteFeature.dropColumn.isThere, "DROP COLUMN needs SQLite 3.35."))
  func aStepMayAlterAnObservedTable() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("old.sqlite3").path
    let old = try await MagicData(path: path)
    try await old.update(Old.Stepping())
    await old.close()

    let magic = try await MagicData(path: path)
    try await magic.update(Human("Ada"))
    try await magic.sql("ALTER TABLE Human ADD COLUMN extra").run()
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    try await magic.update(Human("Grace"))
    #expect(await changes.next()?.inserted.count == 1)
    #expect(try await magic.object(of: Stepping.self).count == 1)
    #expect(await changes.next()?.isComplete == false)
    try await magic.update(Human("Alan"))
    let next = try #require(await changes.next())
    #expect(next.isComplete && next.inserted.count == 1)
    await magic.close()
  }

  @Test func changesThatSQLiteRollsBackByItselfAreNotReported() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Human("Ada")
    try await magic.update(ada)
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    await #expect(throws: MagicError.self) {
      try await magic.transaction { transaction in
        try transaction.update(Human("Grace"))
        let id = ada.id
        try transaction.sql("INSERT OR ROLLBACK INTO Human SELECT * FROM Human WHERE id = \(id)")
          .run()
      }
    }
    try await magic.update(Human("Alan"))
    #expect(await changes.next()?.inserted.count == 1)
    let names = try await magic.query(Human.self).select(\.$name).all()
    #expect(names.sorted() == ["Ada", "Alan"])
  }

  @Test func observingATableReportsNothingToObserversOfOthers() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Human("Ada"))
    try await magic.sql("CREATE TABLE notes (x)").run()
    var notes = magic.sql("SELECT count(*) FROM notes").values(Int.self).makeAsyncIterator()
    #expect(try await notes.next() == [0])
    var changes = magic.changes().makeAsyncIterator()
    try await magic.sql("CREATE INDEX i ON notes (x)").run()
    try await magic.sql("INSERT INTO notes VALUES (1)").run()
    #expect(try await notes.next() == [1])
    try await magic.update(Human("Grace"))
    let next = try #require(await changes.next())
    #expect(next.isComplete && next.tables == ["Human"])
  }

  @Test func aColumnThatTheTypeDoesNotHaveIsNoChangeOfIt() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(Human("Ada"))
    try await magic.sql("ALTER TABLE Human ADD COLUMN foreigner TEXT").run()
    var changes = magic.changes(of: Human.self).makeAsyncIterator()
    try await magic.sql("UPDATE Human SET foreigner = 'x'").run()
    try await magic.sql("UPDATE Human SET name = 'Augusta', foreigner = 'y'").run()
    #expect(await changes.next()?.updated.values.map(\.names) == [["name"]])
  }

  @Test func tablesOfANaturalJoinAreObserved() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.sql("CREATE TABLE a (k, x)").run()
    try await magic.sql("CREATE TABLE b (k, y)").run()
    try await magic.sql("CREATE VIEW v AS SELECT x FROM a NATURAL JOIN b").run()
    try await magic.sql("INSERT INTO a VALUES (1, 2)").run()
    var joined = magic.sql("SELECT count(*) FROM a JOIN b USING (k)").values(Int.self)
      .makeAsyncIterator()
    var viewed = magic.sql("SELECT x FROM v").values(Int.self).makeAsyncIterator()
    #expect(try await joined.next() == [0])
    #expect(try await viewed.next() == [])
    try await magic.sql("INSERT INTO b VALUES (1, 3)").run()
    #expect(try await joined.next() == [1])
    #expect(try await viewed.next() == [2])
    try await magic.sql("UPDATE a SET k = 9").run()
    #expect(try await joined.next() == [0])
    #expect(try await viewed.next() == [])
  }

  @Test func theSchemaTableIsObserved() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.sql("CREATE TABLE a (k)").run()
    var views = magic.sql("SELECT name FROM sqlite_master WHERE type = 'view'")
      .values(String.self).makeAsyncIterator()
    var columns = magic.sql("SELECT name FROM pragma_table_info('a')").values(String.self)
      .makeAsyncIterator()
    #expect(try await views.next() == [])
    #expect(try await columns.next() == ["k"])
    try await magic.sql("CREATE VIEW v AS SELECT 1").run()
    #expect(try await views.next() == ["v"])
    try await magic.sql("ALTER TABLE a ADD COLUMN x").run()
    #expect(try await columns.next() == ["k", "x"])
  }
}
