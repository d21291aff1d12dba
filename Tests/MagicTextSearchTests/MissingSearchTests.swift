import Foundation
import MagicData
import MagicTestSupport
import Testing

/// An SQLite without full-text search, or without a tokenizer.
@Suite(.enabled(if: MissingModule.hide(), "Every connection has all modules of Apple's SQLite."))
struct MissingSearchTests {
  let scratch = Scratch()
  private var path: String { scratch.file(MissingModule.fts5.fileName) }

  private enum Former {
    /// The type before its texts were searchable.
    struct Line: MagicObject {
      @PrimaryMagicValue var id: Int
      @MagicValue var first: String = ""
      @MagicValue var second: [String] = []
      @MagicValue var number: Int = 0

      init() {}
    }
  }

  /// A type without texts that are searched.
  private struct Shelf: MagicObject {
    @PrimaryMagicValue var id: Int

    init() {}
    init(_ id: Int) { self.id = id }
  }

  private func open(readOnly: Bool = false) async throws -> MagicData {
    try await MagicData(path: path, options: .init(readOnly: readOnly))
  }

  /// Fills a database by an SQLite that has full-text search.
  private func fill() async throws {
    let magic = try await MagicData(path: scratch.file())
    try await magic.update(contentsOf: [
      Article("One swift", "text one"), Article("Two swift", "text two"),
    ])
    try await magic.update(Shelf(1))
    await magic.close()
    try move(scratch.file(), path)
  }

  private func move(_ old: String, _ new: String) throws {
    for suffix in ["", "-assets"] {
      try FileManager.default.moveItem(atPath: old + suffix, toPath: new + suffix)
    }
  }

  private func expectUnsupported(
    naming part: String = "fts5", at location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: MagicError.self, sourceLocation: location) {
      try await body()
    }
    #expect(error?.code == .unsupportedSQLite, "\(error as Any)", sourceLocation: location)
    #expect(
      error?.message.contains(part) == true, "\(error as Any)", sourceLocation: location)
  }

  @Test func theFirstSaveNamesWhatIsMissingAndWritesNothing() async throws {
    let magic = try await open()
    let line = Line()
    line.first = "one"
    await expectUnsupported { try await magic.update(line) }
    #expect(line.zIndex == nil)
    await expectUnsupported {
      try await magic.transaction { _ = try $0.update(line) }
    }
    #expect(
      try await magic.sql("SELECT count(*) FROM sqlite_master WHERE name LIKE '%Line%'")
        .value(Int.self) == 0)
    try await magic.update(Shelf(1))
    #expect(try await magic.query(Shelf.self).count() == 1)
    #expect(try await magic.verify().findings.isEmpty)
  }

  @Test(.enabled(if: !SQLiteFeature.trigrams.isThere, "This SQLite has trigrams."))
  func aMissingTokenizerIsNamed() async throws {
    let magic = try await MagicData(path: scratch.file())
    await expectUnsupported(naming: "trigram") { try await magic.update(Part("a")) }
    #expect(
      try await magic.sql("SELECT count(*) FROM sqlite_master WHERE name LIKE '%Part%'")
        .value(Int.self) == 0)
  }

  @Test func aMigrationThatNeedsAnIndexChangesNothing() async throws {
    let former = try await open()
    let old = Former.Line()
    old.first = "one"
    try await former.update(old)
    await former.close()
    let magic = try await open()
    await expectUnsupported { _ = try await magic.object(of: Line.self) }
    await expectUnsupported { _ = try await magic.migrate(Line.self) }
    await magic.close()
    let again = try await open()
    #expect(try await again.object(of: Former.Line.self).map(\.first) == ["one"])
    #expect(try await again.verify().findings.isEmpty)
  }

  @Test func objectsOfAnIndexedTypeAreReadAndSavedWithoutSearches() async throws {
    try await fill()
    let magic = try await open()
    try await magic.update(Shelf(2))
    #expect(try await magic.object(of: Shelf.self).count == 2)

    let article = try #require(
      try await magic.query(Article.self).where(\.$title == "One swift").first())
    article.title = "Renamed"
    article.body = .init(value: "another text")
    try await magic.update(contentsOf: [article, Article("New", "new text")])
    try await magic.query(Article.self).where(\.$title == "Two swift").delete()
    #expect(
      try await magic.query(Article.self).order(by: \.$title).all().map(\.title)
        == ["New", "Renamed"])
    await magic.close()

    try move(path, scratch.file())
    let complete = try await MagicData(path: scratch.file())
    #expect(try await complete.titles("swift") == [])
    #expect(try await complete.titles("another text") == ["Renamed"])
    #expect(try await complete.titles("new text") == ["New"])
    #expect(try await complete.verify().findings.isEmpty)
  }

  @Test(arguments: [false, true])
  func searchesThrowATypedError(readOnly: Bool) async throws {
    try await fill()
    let magic = try await open(readOnly: readOnly)
    let query = magic.query(Article.self)
    await expectUnsupported { _ = try await query.matching("swift").all() }
    await expectUnsupported { _ = try await query.matching("swift").hits() }
    await expectUnsupported { _ = try await query.matching("swift").count() }
    await expectUnsupported { _ = try await query.where { $0.matches("swift") }.all() }
    await expectUnsupported { _ = try await magic.search("swift", in: Article.self) }
    await expectUnsupported {
      for try await _ in query.matching("swift").stream() {}
    }
    #expect(try await query.count() == 2)
    guard !readOnly else { return }
    try await magic.update(Article("New"))
    await expectUnsupported { _ = try await query.matching("swift").all() }
    try await magic.transaction { transaction in
      try transaction.update(Article("Other"))
      let error = #expect(throws: MagicError.self) {
        try transaction.query(Article.self).matching("swift").all()
      }
      #expect(error?.code == .unsupportedSQLite)
    }
    #expect(try await query.count() == 4)
  }

  @Test func verificationAndRepairNameWhatIsMissingAndChangeNothing() async throws {
    try await fill()
    let magic = try await open()
    try await magic.update(Article("New"))
    let report = try await magic.verify()
    for report in [report, try await magic.repair()] {
      #expect(report.findings.map(\.kind) == [.uncheckedSearchIndex], "\(report)")
      #expect(report.findings.first?.table == "Article")
      #expect(report.findings.first?.message.contains("fts5") == true)
      #expect(report.isSound && !report.isComplete)
    }
    let copy = scratch.file("copy.sqlite3")
    try await magic.backup(to: copy)
    await magic.close()
    let complete = try await MagicData(path: copy)
    #expect(try await complete.verify().findings.isEmpty)
    #expect(try await complete.titles("new") == ["New"])
  }
}
