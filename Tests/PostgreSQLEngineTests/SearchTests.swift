import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private struct Page: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 2)) var title: String = ""
  @MagicValue(.searchable) var tags: [String] = []
  @MagicValue(.searchable) var body: MagicAsset<String>
  static var search: MagicSearch { .words(.withoutAccents, .stemmed(.english)).prefixes(2...2) }

  init() { body = .init() }

  init(_ id: Int, _ title: String, tags: [String] = [], body: String = "") {
    self.init()
    (self.id, self.title, self.tags) = (id, title, tags)
    if !body.isEmpty { self.body = .init(value: body) }
  }
}

private struct Code: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var text: String = ""
  static var search: MagicSearch { .trigrams }

  init() {}
  init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }
}

/// The search index in the tables of a server.
@Suite(.requiresPostgreSQL) struct SearchTests {
  // MARK: The same results as FTS5

  private struct Draw {
    var generator = SeededRandom(7)

    private static let words = [
      "a", "b", "c", "ab", "abc", "swift", "swiftly", "disk", "sync", "é", "Ünï", "-", "\"", "xyz",
      "running", "run", "\u{0}", "日本",
    ]

    mutating func number(_ limit: Int) -> Int { generator.below(limit) }

    mutating func text(_ limit: Int) -> String {
      (0..<number(limit)).map { _ in Self.words[number(Self.words.count)] }.joined(separator: " ")
    }

    /// A search, and whether its scores are compared. FTS5 adds the score of a phrase in a row where the
    /// phrases are not near each other, if another part of the search finds the row.
    mutating func match(_ depth: Int = 0) -> (match: MagicMatch, isScored: Bool) {
      switch number(depth < 3 ? 8 : 5) {
      case 0: return (.typed(text(4)), true)
      case 1: return (.phrase(text(4)), true)
      case 2: return (.prefix(text(3)), true)
      case 3:
        let texts = (0..<(1 + number(3))).map { _ in text(3) }
        return (.near(texts, within: number(5)), depth == 0)
      case 4:
        let text = Self.texts[number(Self.texts.count)]
        return (.raw(text), !text.hasPrefix("NEAR("))
      case 5:
        let (left, right) = (match(depth + 1), match(depth + 1))
        return (left.match && right.match, left.isScored && right.isScored)
      case 6:
        let (left, right) = (match(depth + 1), match(depth + 1))
        return (left.match || right.match, left.isScored && right.isScored)
      default:
        let (left, right) = (match(depth + 1), match(depth + 1))
        return (left.match && !right.match, left.isScored && right.isScored)
      }
    }

    private static let texts = [
      "c0 : swift", "{c0 c1} : disk NOT a", "- c0 : a", "^ a", "^swift AND b", "a + b", "a* + b",
      "sw*", "NEAR(a b)", "NEAR(a b c, 2)", "(a OR b) NOT c", "c1 : (a OR c0 : b)", "a b OR c",
      "a OR b AND c NOT ab", "\"a\" \"\" b", "\"\" AND a", "NEAR(\"a b\" c, 1) OR a", "-{c2} : sw*",
      "(", "a AND", "c9 : a", "NEAR(a, x)", "foo(a)", "a ' b", "\"a", "", "* a", "a NOT \"\"",
    ]
  }

  private struct Found: Equatable {
    var scores: [Int: Double] = [:]
    var matching: Set<Int> = []
    var count = 0
    var code: MagicError.Code?
  }

  private func search(_ magic: MagicData, _ match: MagicMatch) async throws -> Found {
    var found = Found()
    do {
      for hit in try await magic.query(Page.self).matching(match).hits() {
        found.scores[hit.object.id] = hit.score
      }
      found.matching = Set(
        try await magic.query(Page.self).where { $0.matches(match) }.all().map(\.id))
      found.count = try await magic.query(Page.self).matching(match).count()
    } catch let error as MagicError {
      found = Found(code: error.code)
    }
    return found
  }

  private func compare(_ magic: [MagicData], _ draw: inout Draw, rounds: Int) async throws {
    for _ in 0..<rounds {
      let (match, isScored) = draw.match()
      let first = try await search(magic[0], match)
      var second = try await search(magic[1], match)
      for (id, score) in first.scores {
        guard let other = second.scores[id] else { continue }
        if !isScored || abs(score - other) <= 1e-9 * max(1, abs(score)) {
          second.scores[id] = score
        }
      }
      #expect(first == second, "\(match)")
    }
  }

  @Test func searchesFindWhatFTS5Finds() async throws {
    let magic = [try await MagicData(type: .temporary), try await TestSchema().openMagicData()]
    var draw = Draw()
    func save(_ ids: [Int]) async throws {
      let texts = ids.map { id -> (Int, String, [String], String) in
        // Some versions of SQLite end the text of an element of JSON at a NUL character.
        let tags = (0..<draw.number(4)).map { _ in draw.text(4).filter { $0 != "\0" } }
        return (id, draw.text(12), tags, draw.text(20))
      }
      for database in magic {
        try await database.update(
          contentsOf: texts.map { Page($0, $1, tags: $2, body: $3) })
      }
    }
    try await save(Array(1...40))
    try await compare(magic, &draw, rounds: 150)
    try await save(Array(30...50))
    for database in magic {
      _ = try await database.query(Page.self).where { $0.$id > 44 }.delete()
      _ = try await database.query(Page.self).where { $0.$id < 5 }
        .update(set: \.$title, to: "swift a b c sync")
    }
    try await compare(magic, &draw, rounds: 150)
    for database in magic { await database.close() }
  }

  @Test func partsOfTextsAreFoundAsByFTS5() async throws {
    let magic = [try await MagicData(type: .temporary), try await TestSchema().openMagicData()]
    var draw = Draw()
    let letters = Array("abcé")
    let texts = (1...60).map { id in
      (id, String((0..<(1 + draw.number(12))).map { _ in letters[draw.number(4)] }))
    }
    for database in magic { try await database.update(contentsOf: texts.map { Code($0, $1) }) }
    for _ in 0..<40 {
      let part = String(
        texts[draw.number(60)].1.dropFirst(draw.number(3)).prefix(3 + draw.number(9)))
      var found: [[Int: Double]] = []
      for database in magic {
        let hits = try await database.query(Code.self).matching(.phrase(part)).hits()
        found.append(Dictionary(uniqueKeysWithValues: hits.map { ($0.object.id, $0.score) }))
      }
      #expect(found[0].keys == found[1].keys, "\(part)")
      #expect(found[0].allSatisfy { abs($1 - (found[1][$0] ?? .infinity)) <= 1e-9 }, "\(part)")
    }
    for database in magic { await database.close() }
  }

  // MARK: Rows of all programs

  @Test func rowsThatOtherProgramsChangeAreFound() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: [Code(1, "first"), Code(2, "second"), Code(3, "third")])
    try schema.run("UPDATE \"Code\" SET \"text\" = 'outside' WHERE \"id\" = 1")
    try schema.run("DELETE FROM \"Code\" WHERE \"id\" = 2")
    #expect(try await magic.query(Code.self).matching("outside").all().map(\.id) == [1])
    #expect(try await magic.query(Code.self).matching("first").count() == 0)
    #expect(try await magic.query(Code.self).matching("second").count() == 0)
    #expect(try await magic.query(Code.self).matching("third").count() == 1)
    try schema.run("TRUNCATE \"Code\" CASCADE")
    #expect(try await magic.query(Code.self).matching("third").count() == 0)
    _ = try await magic.sql(
      "INSERT INTO \"Code\" (\"z_index\", \"id\", \"text\") VALUES (900, 900, 'inserted')"
    ).run()
    #expect(try await magic.query(Code.self).matching("inserted").count() == 1)
    await magic.close()
  }

  @Test func aReadOnlyDatabaseRefusesAnOutdatedIndex() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Code(1, "first"))
    var options = PostgresOptions(schema: schema.name, readers: 2)
    options.readOnly = true
    let reading = try await MagicData(postgres: schema.server.information, options: options)
    #expect(try await reading.query(Code.self).matching("first").count() == 1)
    try schema.run("UPDATE \"Code\" SET \"text\" = 'outside'")
    let error = await #expect(throws: MagicError.self) {
      try await reading.query(Code.self).matching("outside").count()
    }
    #expect(error?.code == .readOnly)
    #expect(try await magic.query(Code.self).matching("outside").count() == 1)
    #expect(try await reading.query(Code.self).matching("outside").count() == 1)
    await reading.close()
    await magic.close()
  }

  /// More rows than are read at once.
  @Test func manyRowsOfATransactionAreIndexed() async throws {
    let magic = try await TestSchema().openMagicData()
    let many = (1...1_201).map { Code($0, "number \($0)") }
    try await magic.update(contentsOf: many)
    #expect(try await magic.query(Code.self).matching("number").count() == 1_201)
    try await magic.query(Code.self).where(\.$id <= 1_000).update(set: \.$text, to: "changed")
    #expect(try await magic.query(Code.self).matching("number").count() == 201)
    #expect(try await magic.query(Code.self).matching("changed").count() == 1_000)
    await magic.close()
  }

  /// The rows that it writes are noted for the next search, as those of other programs are.
  @Test func aUserWithoutTemporaryTablesSearches() async throws {
    let server = try PostgreSQLServer.shared.get()
    let schema = TestSchema(on: server)
    for sql in [
      "CREATE DATABASE limited", "REVOKE TEMPORARY ON DATABASE limited FROM PUBLIC",
      "CREATE ROLE limited LOGIN", "GRANT CREATE ON DATABASE limited TO limited",
    ] { try schema.run(sql) }
    let information = "host=\(server.directory) user=limited dbname=limited"
    let magic = try await MagicData(
      postgres: information, options: PostgresOptions(schema: "own"))
    try await magic.update(Code(1, "first"))
    #expect(try await magic.query(Code.self).matching("first").count() == 1)
    let count = try await magic.transaction { transaction in
      try transaction.update(Code(2, "first again"))
      return try transaction.query(Code.self).matching("first").count()
    }
    #expect(count == 2)
    try await magic.update(Code(1, "changed"))
    #expect(try await magic.query(Code.self).matching("first").all().map(\.id) == [2])
    await magic.close()
  }

  @Test func aMissingIndexIsCreatedByASearch() async throws {
    let schema = try TestSchema()
    let first = try await schema.openMagicData()
    try await first.update(contentsOf: (1...700).map { Code($0, "text \($0)") })
    await first.close()
    let tables = try schema.run(
      "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = '\(schema.name)' "
        + "AND tablename ~ '^magic_(words|texts|totals)_'")
    #expect(tables.count == 3)
    for row in 0..<tables.count { try schema.run("DROP TABLE \(tables.text(row, 0))") }
    try schema.run("DELETE FROM magic_search_indexes")
    let triggers = try schema.run(
      "SELECT tgname FROM pg_trigger WHERE tgrelid = '\"Code\"'::regclass AND NOT tgisinternal")
    for row in 0..<triggers.count {
      try schema.run("DROP TRIGGER \(triggers.text(row, 0)) ON \"Code\"")
    }
    let magic = try await schema.openMagicData()
    #expect(try await magic.query(Code.self).matching("text 700").count() == 1)
    try await magic.update(Code(701, "later"))
    #expect(try await magic.query(Code.self).matching("later").count() == 1)
    await magic.close()
  }

  @Test func aTransactionFindsItsOwnChanges() async throws {
    let magic = try await TestSchema().openMagicData()
    try await magic.update(Code(1, "first"))
    try await magic.transaction { transaction in
      try transaction.update(Code(2, "inside"))
      #expect(try transaction.query(Code.self).matching("inside").count() == 1)
      let first = try transaction.object(of: Code.self, primary: 1)
      first.text = "changed"
      try transaction.update(first)
      #expect(try transaction.query(Code.self).matching("first").count() == 0)
      #expect(try transaction.query(Code.self).matching("changed").delete() == 1)
      #expect(try transaction.query(Code.self).matching("changed").count() == 0)
    }
    #expect(try await magic.query(Code.self).matching("inside").count() == 1)
    #expect(try await magic.query(Code.self).matching("changed").count() == 0)
    await magic.close()
  }

  @Test func twoProcessesWriteTheSameRows() async throws {
    let schema = try TestSchema()
    let both = [try await schema.openMagicData(), try await schema.openMagicData()]
    try await both[0].update(contentsOf: (1...8).map { Code($0, "start") })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        group.addTask {
          try await both[index % 2].update(Code(1 + index % 8, "text \(index) end"))
        }
      }
      try await group.waitForAll()
    }
    for magic in both {
      #expect(try await magic.query(Code.self).matching("start").count() == 0)
      #expect(try await magic.query(Code.self).matching("text").count() == 8)
      for code in try await magic.object(of: Code.self) {
        let found = try await magic.query(Code.self).matching(.phrase(code.text)).all()
        #expect(found.contains { $0.id == code.id }, "\(code.text)")
      }
      await magic.close()
    }
  }

  @Test func wordsOfAnyLengthAreFound() async throws {
    let magic = try await TestSchema().openMagicData()
    let word = String(repeating: "abcdefghij", count: 1_000)
    try await magic.update(contentsOf: [Page(1, word), Page(2, word + "k")])
    #expect(try await magic.query(Page.self).matching(.word(word)).all().map(\.id) == [1])
    let start = String(word.prefix(900))
    #expect(try await magic.query(Page.self).matching(.prefix(start)).count() == 2)
    await magic.close()
  }
}
