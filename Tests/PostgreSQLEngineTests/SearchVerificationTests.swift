import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private struct Leaf: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var text: String = ""
  @MagicValue(.searchable) var key: UUID = UUID()
  @MagicValue(.searchable) var lines: [String] = []
  @MagicValue(.searchable) var body: MagicAsset<String>

  init() { body = .init() }

  init(_ id: Int) {
    self.init()
    (self.id, text, lines) = (id, "leaf \(id)", ["first line", "second line"])
    if id % 2 == 0 { body = .init(value: "body \(id)") }
  }
}

/// `verify` compares search indexes with the rows, and `repair` builds them again.
@Suite(.requiresPostgreSQL) struct SearchVerificationTests {
  /// A database with 1,201 rows, which are more than are compared at once.
  private static func database() async throws -> (TestSchema, MagicData) {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: (1...1_201).map { Leaf($0) })
    return (schema, magic)
  }

  private static func table(_ kind: String, in schema: TestSchema) throws -> String {
    let found = try schema.run(
      "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '\(schema.name)' "
        + "AND tablename LIKE '\(kind)%'")
    try #require(found.count == 1)
    return found.text(0, 0)
  }

  /// The row IDs of objects.
  private static func rows(_ ids: [Int], in magic: MagicData) async throws -> [Int64] {
    var rows: [Int64] = []
    for id in ids {
      let leaf = try await magic.object(of: Leaf.self, primary: id)
      rows.append(try #require(leaf.zIndex?.rawValue))
    }
    return rows
  }

  @Test func anIndexWithTheTextsOfAllRowsIsSound() async throws {
    let (schema, magic) = try await Self.database()
    try await magic.query(Leaf.self).where(\.$id < 100).update(set: \.$text, to: "changed")
    try await magic.query(Leaf.self).where(\.$id > 1_100).delete()
    #expect(try await magic.verify().isSound)
    // The next search indexes the rows of other programs.
    try schema.run("UPDATE \"Leaf\" SET \"text\" = 'outside' WHERE \"id\" = 1")
    try schema.run("DELETE FROM \"Leaf\" WHERE \"id\" = 2")
    try schema.run(
      "INSERT INTO \"Leaf\" (\"z_index\", \"id\", \"text\", \"key\", \"lines\", \"body\") "
        + "SELECT 99999, 99999, 'new', \"key\", \"lines\", '' FROM \"Leaf\" WHERE \"id\" = 3")
    #expect(try await magic.verify().isSound)
    #expect(try await magic.query(Leaf.self).matching("outside").count() == 1)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  enum Change: CaseIterable {
    case removedWord, addedWord, movedWord, removedRow, wrongSize, changedWithoutTrigger
  }

  @Test(arguments: Change.allCases)
  func aRowWithOtherEntriesIsFoundAndRepaired(_ change: Change) async throws {
    let (schema, magic) = try await Self.database()
    let row = try #require(try await Self.rows([700], in: magic).first)
    let words = try Self.table("magic_words", in: schema)
    let texts = try Self.table("magic_texts", in: schema)
    let sql =
      switch change {
      case .removedWord: "DELETE FROM \(words) WHERE z_index = \(row) AND word = 'leaf'"
      case .addedWord: "INSERT INTO \(words) VALUES ('other', \(row), ARRAY[0])"
      case .movedWord:
        "UPDATE \(words) SET places = ARRAY[5] WHERE z_index = \(row) AND word = 'leaf'"
      case .removedRow: "DELETE FROM \(texts) WHERE z_index = \(row)"
      case .wrongSize: "UPDATE \(texts) SET size = size + 1 WHERE z_index = \(row)"
      case .changedWithoutTrigger:
        """
        SET session_replication_role = replica; UPDATE "Leaf" SET "text" = 'other' \
        WHERE "z_index" = \(row); SET session_replication_role = DEFAULT
        """
      }
    try schema.run(sql)
    let findings = try await magic.verify().findings
    #expect(findings.map(\.kind) == [.wrongSearchIndex])
    #expect(findings.map(\.zIndex?.rawValue) == [row])
    #expect(findings.map(\.type) == ["Leaf"])
    #expect(try await magic.repair().findings.map(\.kind) == [.wrongSearchIndex])
    #expect(try await magic.verify().isSound)
    #expect(
      try await magic.query(Leaf.self).matching("leaf").count()
        == (change == .changedWithoutTrigger ? 1_200 : 1_201))
    await magic.close()
  }

  @Test func entriesOfRemovedRowsAreFound() async throws {
    let (schema, magic) = try await Self.database()
    let rows = try await Self.rows([1, 901], in: magic)
    try schema.run(
      "SET session_replication_role = replica; DELETE FROM \"Leaf\" WHERE \"id\" IN (1, 901); "
        + "SET session_replication_role = DEFAULT")
    #expect(try await magic.verify().findings.map(\.zIndex?.rawValue) == rows)
    try await magic.repair()
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func theNumberOfFindingsIsLimited() async throws {
    let (schema, magic) = try await Self.database()
    try schema.run("DELETE FROM \(try Self.table("magic_texts", in: schema))")
    let report = try await magic.verify(limit: 3)
    #expect(report.findings.count == 3 && !report.isComplete)
    await magic.close()
  }

  @Test func aMissingOrDisabledTriggerIsFoundAndRepaired() async throws {
    let (schema, magic) = try await Self.database()
    let triggers = try schema.run(
      "SELECT quote_ident(tgname) FROM pg_trigger WHERE tgrelid = '\"Leaf\"'::regclass "
        + "AND tgname LIKE 'magic_search_%' ORDER BY 1")
    #expect(triggers.count == 3)
    try schema.run("DROP TRIGGER \(triggers.text(0, 0)) ON \"Leaf\"")
    try schema.run("ALTER TABLE \"Leaf\" DISABLE TRIGGER \(triggers.text(1, 0))")
    #expect(
      try await magic.verify().findings.map(\.kind) == [.missingTrigger, .missingTrigger])
    try await magic.repair()
    #expect(try await magic.verify().isSound)
    try schema.run("UPDATE \"Leaf\" SET \"text\" = 'outside' WHERE \"id\" = 5")
    #expect(try await magic.query(Leaf.self).matching("outside").count() == 1)
    await magic.close()
  }

  @Test func wrongTotalsAreFoundAndRepaired() async throws {
    let (schema, magic) = try await Self.database()
    try schema.run("INSERT INTO \(try Self.table("magic_totals", in: schema)) VALUES (0, 1)")
    let findings = try await magic.verify().findings
    #expect(findings.map(\.kind) == [.wrongSearchIndex])
    #expect(findings.map(\.zIndex) == [nil] && findings.map(\.type) == ["Leaf"])
    try await magic.repair()
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  @Test func theTotalsOfManyCommitsAreAddedUp() async throws {
    let (schema, magic) = try await Self.database()
    let totals = try Self.table("magic_totals", in: schema)
    for number in 0..<200 { try await magic.update(Leaf(2_000 + number)) }
    try await magic.transaction { transaction in
      for leaf in try transaction.query(Leaf.self).limit(20).all() { try transaction.remove(leaf) }
    }
    let rows = try schema.run("SELECT count(*)::text FROM \(totals)").text(0, 0)
    #expect(try #require(Int(rows)) <= 130)
    #expect(try await magic.verify().isSound)
    try schema.run("TRUNCATE \"Leaf\" CASCADE")
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 0)
    let sums = try schema.run("SELECT sum(rows)::text, sum(words)::text FROM \(totals)")
    #expect(sums.text(0, 0) == "0" && sums.text(0, 1) == "0")
    await magic.close()
  }

  @Test(arguments: ["magic_words", "magic_texts", "magic_totals", "magic_search_log"])
  func aMissingTableIsFoundAndRepaired(_ name: String) async throws {
    let (schema, magic) = try await Self.database()
    try schema.run("DROP TABLE \(try Self.table(name, in: schema))")
    #expect(try await magic.verify().findings.map(\.kind) == [.wrongSearchIndex])
    // A search creates a missing index, and a repair one of which other parts are missing.
    if name != "magic_words", name != "magic_totals" { try await magic.repair() }
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 1_201)
    #expect(try await magic.verify().isSound)
    try await magic.update(Leaf(5_000))
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 1_202)
    await magic.close()
  }

  /// A process that does not declare the type drops the index, and the next search creates it.
  @Test func indexesOfOtherProcessesAreVerifiedAndRepaired() async throws {
    let (schema, magic) = try await Self.database()
    let other = try await schema.openMagicData()
    #expect(try await other.verify().isSound)
    try schema.run(
      "DELETE FROM \(try Self.table("magic_words", in: schema)) WHERE word = 'leaf'")
    #expect(try await other.verify(limit: 2_000).findings.count == 1_201)
    #expect(try await other.repair().findings.count == 1)
    #expect(try await other.repair().findings.isEmpty)
    // The session of the first process knows the dropped index.
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 1_201)
    try await magic.update(Leaf(6_000))
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 1_202)
    #expect(try await other.verify().isSound)
    await other.close()
    await magic.close()
  }

  /// A save of a session that knows the dropped index does not fail.
  @Test func aSaveAfterTheRepairOfAnotherProcessSucceeds() async throws {
    let (schema, magic) = try await Self.database()
    let other = try await schema.openMagicData()
    try schema.run(
      "DELETE FROM \(try Self.table("magic_words", in: schema)) WHERE word = 'leaf'")
    try await other.repair()
    try await magic.update(Leaf(6_000))
    #expect(try await magic.query(Leaf.self).matching("leaf").count() == 1_202)
    #expect(try await magic.verify().isSound)
    await other.close()
    await magic.close()
  }
}
