import Foundation
import MagicAssets
import MagicData
import MagicSQLite
import MagicStore
import MagicTestSupport
import SQLiteStore
import SQLiteTables
import Testing

/// The search index follows the rows, also those that other programs write.
@Suite struct IndexTests {
  let scratch = Scratch()

  private func filled() async throws -> MagicData {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: [
      Article("One swift", "text one"), Article("Two swift", "text two"), Article("Three"),
    ])
    return magic
  }

  private func log() throws -> Int64 {
    let raw = try scratch.raw()
    defer { raw.close() }
    return try raw.integer("SELECT count(*) FROM \"magic_search(Article) log\"") ?? -1
  }

  /// The findings about the index. Other programs can also make counts of files wrong.
  private func searchFindings(_ magic: MagicData) async throws -> [MagicFinding] {
    try await magic.verify().findings.filter {
      $0.kind == .wrongSearchIndex || $0.kind == .missingTrigger
    }
  }

  @Test func aCommitEmptiesTheLog() async throws {
    let magic = try await filled()
    #expect(try log() == 0)
    try await magic.sql("UPDATE Article SET title = 'Raw' WHERE title = 'Three'").run()
    #expect(try log() == 0)
    #expect(try await magic.titles("raw") == ["Raw"])
    try await magic.removeAll(of: Article.self)
    #expect(try await magic.titles("swift").isEmpty)
    #expect(try log() == 0)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func rowsOfOtherProgramsAreFoundByTheNextSearch() async throws {
    let magic = try await filled()
    try scratch.change(
      """
      UPDATE Article SET title = 'Changed outside' WHERE title = 'One swift';
      UPDATE Article SET title = 'Changed twice' WHERE title = 'Changed outside';
      DELETE FROM Article WHERE title = 'Two swift';
      """)
    #expect(try log() == 2)
    #expect(try await magic.verify().findings.isEmpty)
    #expect(try await magic.titles("swift").isEmpty)
    #expect(try await magic.titles("twice") == ["Changed twice"])
    #expect(try log() == 0)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func aReadOnlyDatabaseNamesTheReason() async throws {
    await (try await filled()).close()
    try scratch.change("UPDATE Article SET title = 'Outside' WHERE title = 'Three'")
    let reading = try await MagicData(path: scratch.file(), options: .init(readOnly: true))
    let error = await #expect(throws: MagicError.self) { try await reading.titles("swift") }
    #expect(error?.code == .readOnly)
    await reading.close()
    let writing = try await MagicData(path: scratch.file())
    #expect(try await writing.titles("outside") == ["Outside"])
    await writing.close()
    let again = try await MagicData(path: scratch.file(), options: .init(readOnly: true))
    #expect(try await again.titles("outside") == ["Outside"])
  }

  @Test func replacedRowsAreReplacedInTheIndex() async throws {
    let magic = try await filled()
    try await magic.sql(
      """
      INSERT OR REPLACE INTO Article (z_index, id, title, body, tags, section, views)
      SELECT z_index, id, 'Replaced', body, tags, section, views FROM Article WHERE title = 'One swift'
      """
    ).run()
    #expect(try await magic.titles("swift") == ["Two swift"])
    #expect(try await magic.titles("replaced") == ["Replaced"])
    #expect(try await magic.verify().findings.isEmpty)
  }

  /// Other programs fire no delete trigger for a row that they replace, because recursive triggers
  /// are off by default.
  @Test func rowsThatOtherProgramsReplaceAreReplacedInTheIndex() async throws {
    let magic = try await filled()
    try scratch.change(
      """
      PRAGMA recursive_triggers = OFF;
      INSERT OR REPLACE INTO Article (z_index, id, title, body, tags, section, views)
      SELECT z_index, id, 'Replaced', body, tags, section, views FROM Article WHERE title = 'One swift'
      """)
    #expect(try await searchFindings(magic).isEmpty)
    #expect(try await magic.titles("swift") == ["Two swift"])
    #expect(try await magic.titles("replaced") == ["Replaced"])
    #expect(try log() == 0)
    #expect(try await searchFindings(magic).isEmpty)
  }

  /// The primary has another row then, which has another row ID.
  @Test func rowsThatOtherProgramsReplaceByNewOnesAreNotFound() async throws {
    let magic = try await filled()
    try scratch.change(
      """
      PRAGMA recursive_triggers = OFF;
      INSERT OR REPLACE INTO Article (id, title, body, tags, section, views)
      SELECT id, 'Replaced', body, tags, section, views FROM Article WHERE title = 'One swift'
      """)
    #expect(try await magic.titles("swift") == ["Two swift"])
    #expect(try await magic.titles("replaced") == ["Replaced"])
    // The row that does not exist has the same score and a smaller row ID.
    let hits = try await magic.query(Article.self).matching("swift").limit(1).hits()
    #expect(hits.map(\.object.title) == ["Two swift"])
    _ = try await magic.repair()
    #expect(try await magic.verify().findings.isEmpty)
    #expect(try await magic.titles("swift") == ["Two swift"])
  }

  @Test func usersCannotWriteToTheIndex() async throws {
    let magic = try await filled()
    for sql in [
      "DELETE FROM \"magic_search(Article) log\"", "DROP TABLE \"magic_search(Article)\"",
      "INSERT INTO \"magic_search(Article)\" (\"magic_search(Article)\") VALUES ('delete-all')",
    ] {
      await #expect(throws: MagicError.self, "\(sql)") { try await magic.sql("\(raw: sql)").run() }
    }
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func aMissingFileHidesOnlyItsText() async throws {
    let magic = try await filled()
    let article = try #require(try await magic.query(Article.self).matching("one").first())
    try FileManager.default.removeItem(at: try #require(article.body.path))
    article.title = "Renamed"
    try await magic.update(article)
    #expect(try await magic.titles("renamed") == ["Renamed"])
    #expect(try await magic.titles("one").isEmpty)
    #expect(try await magic.titles("text") == ["Two swift"])
  }

  @Test func verificationNamesWrongRowsAndRepairCorrectsThem() async throws {
    let magic = try await filled()
    let row = try #require(try await magic.query(Article.self).matching("two").first()?.zIndex)
    try scratch.change(
      """
      DROP TRIGGER "Article search change"; UPDATE Article SET title = 'Hidden' \
      WHERE title = 'Two swift'
      """)
    let findings = try await magic.verify().findings
    #expect(findings.contains { $0.kind == .missingTrigger && $0.table == "Article" })
    #expect(findings.filter { $0.kind == .wrongSearchIndex }.map(\.zIndex) == [row])
    _ = try await magic.repair()
    #expect(try await magic.verify().findings.isEmpty)
    #expect(try await magic.titles("hidden") == ["Hidden"])
  }

  @Test(arguments: SQLiteConnection.SearchIndexPart.allCases)
  func aDamagedIndexIsBuiltAgain(_ part: SQLiteConnection.SearchIndexPart) async throws {
    let magic = try await filled()
    await magic.close()
    try damage(part)
    let again = try await MagicData(path: scratch.file())
    let findings = try await again.verify().findings
    #expect(findings.contains { $0.kind == .wrongSearchIndex && $0.table == "Article" })
    var count = 2
    do {
      try await again.update(Article("Four swift"))
      count = 3
    } catch let error as MagicError {
      // A save is not refused because words are damaged. Since SQLite 3.50 a damaged list of parts ends the
      // transaction.
      #expect(part != .words && [.corrupt, .outOfMemory].contains(error.code), "\(error)")
    }
    _ = try await again.repair()
    #expect(try await again.verify().findings.isEmpty)
    #expect(try await again.query(Article.self).matching("swift").count() == count)
  }

  /// What SQLite's own damage can look like to FTS5: a table of its data, or a row of it, is missing.
  @Test(arguments: [
    "DROP TABLE \"magic_search(Article)_docsize\"", "DROP TABLE \"magic_search(Article)_idx\"",
    "DELETE FROM \"magic_search(Article)_config\"", "DELETE FROM \"magic_search(Article)_data\"",
  ])
  func aRepairCreatesMissingDataOfTheIndex(_ damage: String) async throws {
    let magic = try await filled()
    await magic.close()
    let raw = try scratch.raw()
    try raw.writingShadowTables { try raw.execute(damage) }
    raw.close()
    let again = try await MagicData(path: scratch.file())
    #expect(try await again.object(of: Article.self).count == 3)
    let kinds = try await again.verify().findings.map(\.kind)
    #expect(kinds.contains(.wrongSearchIndex), "\(kinds)")
    #expect(try await again.repair().findings.map(\.kind).contains(.wrongSearchIndex))
    #expect(try await again.verify().findings.isEmpty)
    #expect(try await again.titles("swift").count == 2)
  }

  private func damage(_ part: SQLiteConnection.SearchIndexPart = .words) throws {
    let raw = try scratch.raw()
    defer { raw.close() }
    try raw.damageSearchIndex(ofTable: "Article", part)
  }

  @Test(arguments: SQLiteConnection.SearchIndexPart.allCases)
  func aSearchOfADamagedIndexThrowsATypedError(_ part: SQLiteConnection.SearchIndexPart)
    async throws
  {
    let magic = try await filled()
    try damage(part)
    let error = await #expect(throws: MagicError.self) { try await magic.titles("swift") }
    #expect(error?.code == .corrupt || part == .size && error?.code == .outOfMemory)
    await #expect(throws: MagicError.self) {
      try await magic.query(Article.self).matching("swift").count()
    }
    // The other values are not affected.
    #expect(try await magic.query(Article.self).count() == 3)
    let findings = try await magic.verify().findings
    #expect(findings.contains { $0.kind == .wrongSearchIndex && $0.table == "Article" })
    let repaired = try await magic.repair()
    #expect(repaired.findings.contains { $0.kind == .wrongSearchIndex }, "\(repaired)")
    #expect(try await magic.titles("one swift") == ["One swift"])
    #expect(try await magic.verify().findings.isEmpty)
  }

  /// After the error of a damaged index, other indexes are checked in another snapshot.
  @Test(arguments: SQLiteConnection.SearchIndexPart.allCases)
  func severalIndexesAreCheckedEachForItself(_ part: SQLiteConnection.SearchIndexPart) async throws
  {
    let magic = try await filled()
    let (line, label) = (Line(), Label("sound"))
    line.first = "damaged"
    try await magic.update(line)
    try await magic.update(label)
    await magic.close()
    try damage(part)
    let raw = try scratch.raw()
    try raw.damageSearchIndex(ofTable: "Line", part)
    raw.close()
    let again = try await MagicData(path: scratch.file())
    let tables = Set(try await searchFindings(again).compactMap(\.table))
    #expect(tables == ["Article", "Line"])
    let repaired = try await again.repair()
    #expect(Set(repaired.findings.compactMap(\.table)) == ["Article", "Line"])
    #expect(try await again.verify().findings.isEmpty)
    #expect(try await again.query(Line.self).matching("damaged").count() == 1)
    #expect(try await again.query(Label.self).matching("sound").count() == 1)
    #expect(try await again.titles("swift").count == 2)
  }

  @Test func aDroppedFullTextTableIsReportedAndCreatedAgain() async throws {
    let magic = try await filled()
    try scratch.change("DROP TABLE \"magic_search(Article)\"")
    try await magic.update(Article("Four swift"))
    let error = await #expect(throws: MagicError.self) { try await magic.titles("swift") }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("repair()") == true)
    #expect(try await searchFindings(magic).map(\.table) == ["Article"])
    #expect(try await magic.repair().findings.map(\.kind) == [.wrongSearchIndex])
    #expect(try await magic.verify().findings.isEmpty)
    #expect(
      Set(try await magic.titles("swift")) == ["One swift", "Two swift", "Four swift"])
    try await magic.update(Article("Five swift"))
    #expect(try await magic.titles("swift").count == 4)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func aReadOnlyDatabaseWithoutTheFullTextTableNamesTheReason() async throws {
    await (try await filled()).close()
    try scratch.change("DROP TABLE \"magic_search(Article)\"")
    let reading = try await MagicData(path: scratch.file(), options: .init(readOnly: true))
    let error = await #expect(throws: MagicError.self) { try await reading.titles("swift") }
    #expect(error?.code == .needsMigration)
    #expect(try await reading.query(Article.self).count() == 3)
  }

  /// The update of an index reads the log, and not the index: a commit takes as long with many rows.
  @Test func anUpdateReadsNoOtherRowsOfTheIndex() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: (0..<300).map { Label("word \($0)") })
    let raw = try scratch.raw()
    let table = try #require(try Catalogue(connection: raw).searchTable(of: "Label"))
    let plan = try raw.prepare("EXPLAIN QUERY PLAN \(table.logged)")
    var steps: [String] = []
    while try plan.step() { steps.append(plan.column(3).text) }
    #expect(steps.filter { $0.hasPrefix("SCAN") }.count == 1, "\(steps)")
    #expect(steps.contains { $0.hasPrefix("SEARCH") }, "\(steps)")
  }

  @Test func backupsHaveTheIndex() async throws {
    let magic = try await filled()
    let copy = scratch.file("copy.sqlite3")
    try await magic.backup(to: copy)
    let other = try await MagicData(path: copy)
    #expect(try await other.titles("two") == ["Two swift"])
    #expect(try await other.verify().findings.isEmpty)
  }

  @Test func sharingMovesTheRowsOfTheIndex() async throws {
    let magic = try await filled()
    try await magic.prepareForSharing()
    #expect(try await magic.verify().findings.isEmpty)
    #expect(try await magic.titles("two") == ["Two swift"])
  }

  @Test(
    .enabled(if: SQLiteFeature.trigrams.isThere, "Plans of earlier versions do not show searches."))
  func aSearchIsNoFullScan() async throws {
    let magic = try await filled()
    let plan = try await magic.query(Article.self).matching("swift").explain()
    #expect(plan.fullScans.isEmpty, "\(plan)")
    let condition = try await magic.query(Article.self).where { $0.matches("swift") }.explain()
    #expect(condition.fullScans.isEmpty, "\(condition)")
  }

  @Test func textsInSQLNamesAreSearched() async throws {
    struct Odd: MagicObject {
      @MagicValue(.searchable, .named("a \"quoted\" 'name'")) var rank: String
      @MagicValue(.searchable) var rowid: String = ""
      static var tableName: String { "The \"odd\" table's (name).x_data" }

      init() {}
    }
    let magic = try await MagicData(path: scratch.file())
    let odd = Odd()
    (odd.rank, odd.rowid) = ("first", "second")
    try await magic.update(odd)
    #expect(try await magic.query(Odd.self).matching("first").count() == 1)
    odd.rank = "third"
    try await magic.update(odd)
    #expect(try await magic.query(Odd.self).where { $0.$rank.matches("third") }.count() == 1)
    #expect(try await magic.query(Odd.self).matching("first").count() == 0)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test func blockingStoresSearch() throws {
    let store = try MagicObjectStore.open(.file(scratch.file()))
    try store.update(Article("Blocking swift"))
    let hits = try store.query(Article.self).matching("swift").hits()
    #expect(hits.map(\.object.title) == ["Blocking swift"])
    let memory = try MagicObjectStore.open(.memory)
    try memory.update(Article("In memory"))
    #expect(try memory.query(Article.self).matching("memory").count() == 1)
  }
}
