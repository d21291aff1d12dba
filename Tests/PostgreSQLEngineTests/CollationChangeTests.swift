import CopySupport
import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

/// Columns that get another collation, and copies of them.
@Suite(.requiresPostgreSQL) struct CollationChangeTests {
  private enum Bytes {
    struct Label: MagicObject {
      @MagicValue(.indexed) var name: String = ""
      @MagicValue(.unique) var code: String = ""
      init() {}
      init(_ name: String, _ code: String) { (self.name, self.code) = (name, code) }
    }
  }

  private enum German {
    struct Label: MagicObject {
      @MagicValue(.indexed, .compared(.localized("de"))) var name: String = ""
      @MagicValue(.unique) var code: String = ""
    }
  }

  private enum Swedish {
    struct Label: MagicObject {
      @MagicValue(.indexed, .compared(.localized("sv"))) var name: String = ""
      @MagicValue(.unique, .compared(.caseInsensitive)) var code: String = ""
      @OptionMagicValue(.compared(.caseInsensitive), .indexed) var note: String?
    }
  }

  private enum Renamed {
    struct Label: MagicObject {
      @MagicValue(.indexed, .wasNamed("name"), .compared(.localized("de"))) var title: String = ""
      @MagicValue(.unique, .wasNamed("code"), .compared(.caseInsensitive)) var mark: String = ""
    }
  }

  private let schema: TestSchema

  init() throws { schema = try TestSchema() }

  private func make(_ labels: [(String, String)]) throws {
    let store = try schema.open()
    defer { store.close() }
    try store.update(contentsOf: labels.map { Bytes.Label($0.0, $0.1) })
  }

  /// Opens the table as the type, expects that nothing is left to migrate, and that the indexes are
  /// those of a new table.
  private func migrating<Model: MagicObject>(
    to type: Model.Type, _ body: (MagicObjectStore) throws -> Void
  ) throws {
    let store = try schema.open()
    _ = try store.object(of: type)
    try body(store)
    store.close()
    let other = try TestSchema()
    let new = try other.open()
    defer { new.close() }
    try new.update(Model())
    #expect(try definitions(schema) == definitions(other))
    let again = try schema.open()
    defer { again.close() }
    #expect(try again.migrationPlan(for: type).steps.isEmpty)
  }

  private func definitions(_ schema: TestSchema) throws -> [String] {
    let result = try schema.run(
      """
      SELECT a.attname || ' ' || c.collname FROM pg_attribute AS a JOIN pg_collation AS c \
      ON c.oid = a.attcollation WHERE a.attrelid = '"Label"'::regclass AND a.attnum > 0 \
      AND NOT a.attisdropped UNION ALL SELECT replace(pg_get_indexdef(indexrelid), \
      quote_ident(current_schema()) || '.', '') FROM pg_index \
      WHERE indrelid = '"Label"'::regclass ORDER BY 1
      """)
    return (0..<result.count).map { result.text($0, 0) }
  }

  @Test func aStepOfThePlanNamesTheCollation() throws {
    try make([("Zoe", "1"), ("ada", "2"), ("ä", "3")])
    let store = try schema.open()
    let plan = try store.migrationPlan(for: German.Label.self)
    #expect(plan.kind == .rewriting)
    #expect(plan.steps.map(\.summary) == ["the collation of name becomes de-x-icu"])
    #expect(plan.steps.first?.property == "name")
    store.close()
    try migrating(to: German.Label.self) { store throws in
      let labels = store.query(German.Label.self)
      #expect(try labels.order(by: \.$name).all().map(\.code) == ["3", "2", "1"])
    }
    try migrating(to: Swedish.Label.self) { store throws in
      let labels = store.query(Swedish.Label.self)
      #expect(try labels.order(by: \.$name).all().map(\.code) == ["2", "1", "3"])
      let other = Swedish.Label()
      (other.name, other.code, other.note) = ("x", "4", "n")
      try store.update(other)
      #expect(try labels.where(\.$note == "N").count() == 1)
      other.note = nil
      try store.update(other)
    }
    try migrating(to: Bytes.Label.self) { store throws in
      let labels = store.query(Bytes.Label.self)
      #expect(try labels.order(by: \.$name).all().map(\.name) == ["Zoe", "ada", "x", "ä"])
      try store.update(contentsOf: [Bytes.Label("", "a"), Bytes.Label("", "A")])
    }
  }

  @Test func aRenamedColumnGetsItsCollation() throws {
    try make([("Zoe", "1"), ("ada", "2")])
    try migrating(to: Renamed.Label.self) { store throws in
      let labels = store.query(Renamed.Label.self)
      #expect(try labels.order(by: \.$title).all().map(\.title) == ["ada", "Zoe"])
    }
  }

  @Test func textsThatBecomeEqualAreNamed() throws {
    try make([("x", "a"), ("x", "b"), ("x", "A")])
    let store = try schema.open()
    defer { store.close() }
    let error = #expect(throws: MagicError.self) { _ = try store.object(of: Swedish.Label.self) }
    #expect(error?.code == .notUnique)
    #expect(error?.property == "code")
    #expect(error?.message.contains("rows 1, 3") == true, "\(error?.message ?? "")")
  }

  // MARK: Copies

  private struct Guest: MagicObject {
    @MagicValue(.compared(.localized("de_CH")), .indexed) var name: String = ""
    @MagicValue(.compared(.caseInsensitive), .unique) var mail: String = ""
    @OptionMagicValue(.compared(.caseInsensitive)) var city: String?
    init() {}
    init(_ name: String, _ mail: String) { (self.name, self.mail) = (name, mail) }
  }

  private func check(_ magic: MagicData) async throws {
    #expect(try await magic.migrationPlan(for: [Guest.self]).isEmpty)
    let guests = magic.query(Guest.self)
    #expect(try await guests.order(by: \.$name).all().map(\.name) == ["ada", "Éva", "Zoe"])
    #expect(try await guests.where(\.$mail == "ADA@x").count() == 1)
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(Guest("", "zOE@x"))
    }
    #expect(error?.code == .notUnique && error?.property == "mail")
    await magic.close()
  }

  @Test func aCopyHasTheCollations() async throws {
    let directory = try TemporaryDirectory()
    let (file, back) = (directory.file("a.sqlite3").path, directory.file("b.sqlite3").path)
    let magic = try await MagicData(path: file)
    try await magic.update(contentsOf: ["Zoe", "ada", "Éva"].map { Guest($0, "\($0)@X") })
    await magic.close()
    let location = MagicDatabaseLocation.postgres(schema.server.information, schema: schema.name)
    try await MagicData.copy(from: .file(file), to: location)
    try await MagicData.copy(from: location, to: .file(back))
    let differences = try DatabaseDump(of: back).differences(from: DatabaseDump(of: file)).filter {
      $0 != "table magic_format"
    }
    #expect(differences.isEmpty, "\(differences)")
    try await check(try await schema.openMagicData())
    try await check(try await MagicData(path: back))
  }

  @Test func aTableThatBeganOnAServerIsCopiedToAFileWithItsCollations() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("a.sqlite3").path
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: ["Zoe", "ada", "Éva"].map { Guest($0, "\($0)@X") })
    await magic.close()
    try await MagicData.copy(
      from: .postgres(schema.server.information, schema: schema.name), to: .file(file))
    try await check(try await MagicData(path: file))
  }
}
