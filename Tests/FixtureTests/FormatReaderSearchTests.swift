import Foundation
import MagicAssets
import MagicStore
import MagicTestSupport
import SQLiteStore
import Testing

/// The reader of the format reads search indexes and their logs.
@Suite(.enabled(if: FormatReader.hasPython, "The reader needs python3 on the PATH."))
struct FormatReaderSearchTests {
  struct Leaf: MagicObject {
    @MagicValue(.searchable) var title: String = ""
    @MagicValue(.searchable, .named("the words")) var tags: [String] = []
    @MagicValue(.searchable) var body: MagicAsset<String>

    init() { body = .init() }
    init(_ title: String, _ tags: [String], _ body: String) {
      (self.title, self.tags) = (title, tags)
      self.body = .init(value: body)
    }
  }

  private let scratch = Scratch()

  private func lines() throws -> [ReaderSearchLine] {
    try FormatReader.searchLines(of: URL(fileURLWithPath: scratch.file()))
  }

  private func line(_ row: Int64, _ words: [String: [String]]) -> ReaderSearchLine {
    ReaderSearchLine(table: "Leaf", type: "Leaf", row: row, words: words)
  }

  @Test func theWordsOfTheIndexAreRead() throws {
    let store = try MagicObjectStore.open(.file(scratch.file()))
    defer { store.close() }
    let leaves = [
      Leaf("Résumé, written", ["Two words", "three"], "The BODY."), Leaf("Other", [], ""),
    ]
    try store.update(contentsOf: leaves)
    let first = line(
      1,
      [
        "t title": ["resume", "written"], "l the words": ["two", "words", "three"],
        "f body": ["the", "body"],
      ])
    #expect(try lines() == [first, line(2, ["t title": ["other"]])])
    leaves[1].title = "Changed"
    try store.update(leaves[1])
    #expect(try lines() == [first, line(2, ["t title": ["changed"]])])
  }

  /// Each row that another program has changed is in the log, with the texts that the index has.
  @Test func theRowsOfTheLogAreRead() throws {
    let store = try MagicObjectStore.open(.file(scratch.file()))
    defer { store.close() }
    let leaf = Leaf("Old", ["tag"], "")
    leaf.body = .init()
    try store.update(leaf)
    try scratch.change(
      """
      UPDATE Leaf SET title = 'New'; UPDATE Leaf SET title = 'Newest';
      INSERT INTO Leaf (title, "the words", body) VALUES ('Inserted', CAST('[]' AS BLOB), '')
      """)
    let indexed = line(1, ["t title": ["old"], "l the words": ["tag"]])
    let head = ReaderSearchLine(table: "Leaf", type: "Leaf", row: 1)
    var (changed, inserted) = (head, ReaderSearchLine(table: "Leaf", type: "Leaf", row: 2))
    changed.isIndexed = true
    changed.old = ["t title": "Old", "l the words": "[\"tag\"]", "f body": ""]
    inserted.isIndexed = false
    inserted.old = ["t title": nil, "l the words": nil, "f body": nil] as [String: String?]
    let found = try lines()
    #expect(found == [indexed, changed, inserted], "\(found)")
    try store.update(Leaf("Third", [], ""))
    let rows = try lines()
    #expect(rows.map(\.words?["t title"]) == [["newest"], ["inserted"], ["third"]])
  }
}
