import CMagicSQLite
import EngineConformance
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// Indexes that a system with another order of a language has written.
@Suite struct OutdatedOrderTests {
  let scratch = Scratch()

  private struct Label: MagicObject {
    @MagicValue(.indexed, .compared(.localized("de"))) var name: String = ""
    @MagicValue var number: Int = 0
    init() {}
    init(_ name: String) { self.name = name }
  }

  private struct Place: MagicObject {
    @MagicValue(.indexed, .compared(.localized("sv"))) var city: String = ""
    init() {}
    init(_ city: String) { self.city = city }
  }

  private struct Badge: MagicObject {
    @MagicValue(.unique, .compared(.localized("de"))) var name: String = ""
    @MagicValue var number: Int = 0
    init() {}
    init(_ name: String) { self.name = name }
  }

  private static let names = ["Zoe", "ada", "Éva", "eva", "Bob", "ü"]
  private static let ordered = ["ada", "Bob", "eva", "Éva", "ü", "Zoe"]

  private static let (collation, binary) = ("\"magic_localized_de\"", "\"BINARY\"")

  /// Saves rows, gives their index the order of bytes, and records another order.
  private func makeOutdated() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: Self.names.map(Label.init))
    }
    #expect(try recorded() == ["magic_localized_de"])
    try changeSchema(Self.collation, to: Self.binary)
    try scratch.raw().execute("REINDEX")
    try changeSchema(Self.binary, to: Self.collation)
    try scratch.raw().execute("UPDATE magic_collations SET order_hash = 'earlier'")
  }

  /// Saves rows of a unique property, makes two of them equal, gives their index the order of bytes, and
  /// records another order.
  private func makeEqualRows() throws {
    try scratch.using { store throws in
      try store.update(contentsOf: Self.names.map(Badge.init))
      try store.update(Place("Åmål"))
    }
    try changeSchema(Self.collation, to: Self.binary)
    try changeSchema("CREATE UNIQUE INDEX", to: "CREATE INDEX")
    try scratch.raw().execute("REINDEX; UPDATE Badge SET name = 'ada' WHERE name = 'Bob'")
    try changeSchema("CREATE INDEX", to: "CREATE UNIQUE INDEX")
    try changeSchema(Self.binary, to: Self.collation)
    try scratch.raw().execute("UPDATE magic_collations SET order_hash = 'earlier'")
  }

  private func changeSchema(_ text: String, to other: String) throws {
    let raw = try scratch.raw()
    defer { raw.close() }
    var value: Int32 = 0
    magic_sqlite3_db_config_flag(raw.handle.pointer, SQLITE_DBCONFIG_DEFENSIVE, 0, &value)
    try raw.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, '\(text)', '\(other)')
      WHERE tbl_name IN ('Label', 'Badge')
      """)
  }

  private func recorded() throws -> [String] {
    try scratch.raw().texts("SELECT name FROM magic_collations WHERE order_hash <> 'earlier'")
  }

  /// Control: the index is really wrong without the library.
  private func expectMissingRows() throws {
    let raw = try scratch.raw()
    defer { raw.close() }
    let check = try raw.texts("PRAGMA integrity_check")
    #expect(check != ["ok"])
  }

  private func expectOrder(_ store: MagicObjectStore) throws {
    let query = store.query(Label.self)
    #expect(try query.order(by: \.$name).all().map(\.name) == Self.ordered)
    for name in Self.names { #expect(try query.where(\.$name == name).count() == 1) }
  }

  @Test func openingForWritingBuildsTheIndexesAgain() throws {
    try makeOutdated()
    try expectMissingRows()
    try scratch.using { store throws in
      try expectOrder(store)
      #expect(try store.verify().findings.isEmpty)
    }
    #expect(try recorded() == ["magic_localized_de"])
    try scratch.expectWhole()
  }

  @Test func aReadOnlyDatabaseRefusesWhatNeedsTheOrder() throws {
    try makeOutdated()
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let query = store.query(Label.self)
      for body: () throws -> Void in [
        { _ = try query.where(\.$name == "ada").all() },
        { _ = try query.order(by: \.$name).all() },
      ] {
        let error = #expect(throws: MagicError.self) { try body() }
        #expect(error?.code == .needsMigration, "\(error as Any)")
        #expect(error?.message.contains("magic_localized_de") == true)
      }
      let error = #expect(throws: MagicError.self) {
        try store.sql("SELECT name FROM Label ORDER BY name").rows(String.self)
      }
      #expect(error?.code == .invalidQuery)
      #expect(error?.message.contains("magic_localized_de") == true)
      #expect(try query.where(\.$number == 0).all().count == Self.names.count)
      let report = try store.verify()
      #expect(report.findings.map(\.kind) == [.wrongOrder], "\(report)")
      #expect(!report.isComplete)
    }
    try scratch.using { store throws in try expectOrder(store) }
    try scratch.using(MagicOptions(readOnly: true)) { store throws in try expectOrder(store) }
  }

  @Test func aReadOnlyDatabaseHasTheOrdersThatHaveNotChanged() throws {
    try scratch.using { store throws in
      try store.update(Label("ada"))
      try store.update(contentsOf: ["z", "ä"].map(Place.init))
    }
    #expect(try recorded() == ["magic_localized_de", "magic_localized_sv"])
    try scratch.raw().execute(
      "UPDATE magic_collations SET order_hash = 'earlier' WHERE name = 'magic_localized_de'")
    try scratch.using(MagicOptions(readOnly: true)) { store throws in
      let places = store.query(Place.self)
      #expect(try places.order(by: \.$city).all().map(\.city) == ["z", "ä"])
      #expect(try places.order { $0.$city.compared(.localized("fr")) }.all().count == 2)
      for locale in ["de", "DE"] {
        let error = #expect(throws: MagicError.self) {
          _ = try places.order { $0.$city.compared(.localized(locale)) }.all()
        }
        #expect(error?.code == .needsMigration, "\(locale): \(error as Any)")
      }
    }
  }

  @Test func equalRowsOfAUniqueIndexAreNoHindranceAndCanBeChanged() throws {
    try makeEqualRows()
    try scratch.using { store throws in
      // The other collation has no equal rows.
      #expect(try recorded() == ["magic_localized_sv"])
      #expect(try store.verify().findings.contains { $0.kind == .wrongOrder })
      let error = #expect(throws: MagicError.self) { try store.repair() }
      #expect(error?.code == .notUnique, "\(error as Any)")
      let rows = try store.object(of: Badge.self)
      #expect(rows.count == Self.names.count)
      let row = try #require(rows.last { $0.name == "ada" })
      row.name = "Bob"
      try store.update(row)
      #expect(try store.repair().findings.map(\.kind) == [.wrongOrder])
      #expect(try store.verify().findings.isEmpty)
      let query = store.query(Badge.self)
      #expect(try query.order(by: \.$name).all().map(\.name) == Self.ordered)
      for name in Self.names { #expect(try query.where(\.$name == name).count() == 1) }
    }
    #expect(try recorded() == ["magic_localized_de", "magic_localized_sv"])
    try scratch.expectWhole()
  }

  private func expectRefused(in reader: some MagicDatabaseReader) throws {
    let query = reader.query(Badge.self)
    let bodies: [() throws -> Void] = [
      { _ = try query.where(\.$name == "Zoe").all() },
      { _ = try query.where(\.$name > "eva").count() },
      { _ = try query.order(by: \.$name).all() },
      { _ = try query.min(\.$name) },
    ]
    for body in bodies {
      let error = #expect(throws: MagicError.self) { try body() }
      #expect(error?.code == .needsMigration, "\(error as Any)")
      #expect(error?.message.contains("repair()") == true)
    }
  }

  @Test func whatReadsAnIndexThatCouldNotBeBuiltAgainIsRefused() throws {
    try makeEqualRows()
    try scratch.using { store throws in
      let query = store.query(Badge.self)
      // Control: the index misses rows.
      let found = try scratch.raw().texts("SELECT name FROM Badge WHERE name = 'Zoe'")
      #expect(found.isEmpty)
      try expectRefused(in: store)
      try store.transaction { try expectRefused(in: $0.context) }
      let error = #expect(throws: MagicError.self) {
        try store.sql("SELECT z_index FROM Badge WHERE name = 'Zoe'").rows(Int.self)
      }
      #expect(error?.code == .needsMigration, "\(error as Any)")
      let badge = Badge("Zoe")
      let refused = #expect(throws: MagicError.self) { try store.update(badge, matching: \.$name) }
      #expect(refused?.code == .needsMigration, "\(refused as Any)")
      #expect(try query.where { $0.$name.hasSuffix("a") }.all().count == 4)
      #expect(
        try store.sql("SELECT name FROM Badge NOT INDEXED WHERE name = 'Zoe'").rows(String.self)
          == ["Zoe"])
      #expect(try store.object(of: Badge.self).count == Self.names.count)
      #expect(try store.query(Place.self).where(\.$city == "Åmål").count() == 1)
    }
  }

  @Test func aStatementThatSQLiteCompilesAgainIsCheckedAgain() throws {
    try makeEqualRows()
    let (create, drop) = (
      "CREATE INDEX badge_number ON Badge (number)", "DROP INDEX badge_number"
    )
    try scratch.raw().execute(create)
    try scratch.using(MagicOptions(readers: 1)) { store throws in
      let query = store.query(Badge.self).where(\.$number == 0).order(by: \.$name)
      let names = ["ada", "ada", "eva", "Éva", "ü", "Zoe"]
      // The other index finds the rows, which are then sorted.
      #expect(try query.all().map(\.name) == names)
      try scratch.raw().execute(drop)
      for _ in 0..<2 {
        let error = #expect(throws: MagicError.self) { try query.all() }
        #expect(error?.code == .needsMigration, "\(error as Any)")
      }
      try scratch.raw().execute(create)
      #expect(try query.all().map(\.name) == names)
    }
  }

  @Test func aWritingStatementThatSQLiteCompilesAgainIsRefusedBeforeItWrites() throws {
    try makeEqualRows()
    let (create, drop) = (
      "CREATE INDEX badge_number ON Badge (number)", "DROP INDEX badge_number"
    )
    try scratch.raw().execute(create)
    try scratch.using { store throws in
      /// Commits what was written before an error.
      func mark() throws -> MagicError? {
        try store.transaction { transaction in
          do {
            try transaction.sql(
              "UPDATE Badge SET number = number + 1 WHERE number = 0 AND name > 'a'"
            ).run()
            return nil
          } catch let error as MagicError {
            return error
          }
        }
      }
      let marked = store.query(Badge.self).where { $0.$number == 1 }
      #expect(try mark() == nil)
      #expect(try marked.count() == Self.names.count)
      try marked.update(set: \.$number, to: 0)
      try scratch.raw().execute(drop)
      for _ in 0..<2 {
        let error = try mark()
        #expect(error?.code == .needsMigration, "\(error as Any)")
        #expect(try marked.count() == 0)
      }
      try scratch.raw().execute(create)
      #expect(try mark() == nil)
      #expect(try marked.count() == Self.names.count)
    }
  }

  @Test func anIndexWithoutARecordedOrderIsBuiltAgainBeforeItIsRecorded() throws {
    try makeOutdated()
    try scratch.raw().execute("DROP TABLE magic_collations")
    try scratch.using { store throws in
      try store.update(Ticket(number: 1, "ada"))
      try expectOrder(store)
    }
    #expect(try recorded() == ["magic_localized_de"])
    try scratch.expectWhole()
  }

  @Test func aCollationOfAViewOnlyIsNoHindrance() throws {
    try scratch.using { store throws in try store.update(Label("ada")) }
    try scratch.raw().execute(
      "CREATE VIEW sorted AS SELECT name FROM Label ORDER BY name COLLATE \"magic_localized_fr\"")
    try scratch.using { store throws in try store.update(Ticket(number: 1, "ada")) }
    #expect(try recorded() == ["magic_localized_de", "magic_localized_fr"])
    try scratch.raw().execute("UPDATE magic_collations SET order_hash = 'earlier'")
    try scratch.using { store throws in #expect(try store.verify().findings.isEmpty) }
    #expect(try recorded() == ["magic_localized_de", "magic_localized_fr"])
  }

  @Test func repairBuildsTheIndexesOfAnOpenDatabaseAgain() throws {
    try scratch.using { store throws in
      try store.update(Label("ada"))
      try scratch.raw().execute("UPDATE magic_collations SET order_hash = 'earlier'")
      #expect(try store.verify().findings.map(\.kind) == [.wrongOrder])
      #expect(try store.repair().findings.map(\.kind) == [.wrongOrder])
      #expect(try store.verify().findings.isEmpty)
    }
  }

  @Test func anOrderThatIsNotUsedAnyMoreIsNoHindrance() throws {
    try scratch.using { store throws in try store.update(Label("ada")) }
    try scratch.raw().execute(
      """
      UPDATE magic_collations SET order_hash = 'earlier';
      INSERT INTO magic_collations VALUES ('magic_localized_unused', 'earlier'), ('other', 'x')
      """)
    try scratch.using { store throws in
      #expect(try store.object(of: Label.self).count == 1)
      #expect(try store.verify().findings.isEmpty)
      // Nothing was computed for it.
      #expect(try recorded() == ["magic_localized_de", "other"])
      // The next change of the schema deletes it.
      try store.update(Ticket(number: 1, "ada"))
    }
    #expect(try scratch.raw().integer("SELECT count(*) FROM magic_collations") == 1)
  }

  @Test func aFileWithoutLocalizedCollationsRecordsNoOrder() throws {
    try scratch.using { store throws in try store.update(Ticket(number: 1, "ada")) }
    #expect(
      try scratch.raw().integer(
        "SELECT count(*) FROM sqlite_master WHERE name = 'magic_collations'") == 0)
  }
}
