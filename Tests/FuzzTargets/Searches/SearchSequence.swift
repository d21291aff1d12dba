import Foundation
import MagicData
import MagicStore
import SQLiteStore

/// An object whose texts the sequences search.
struct Passage: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable(weight: 2)) var title: String = ""
  @MagicValue(.searchable) var lines: [String] = []
  @MagicValue var number: Int = 0
  static var search: MagicSearch { .words().prefixes(2...2) }

  init() {}
}

/// Deliberate flaws, which the comparison with the model finds.
public enum SearchFlaw: Sendable, CaseIterable {
  /// Other programs change rows without firing triggers.
  case changesWithoutTriggers
  /// The model keeps the writes of a transaction that throws.
  case keepsWhatWasRolledBack
}

/// Random sequences of edits, by the library and by another program, and of searches. Each search
/// finds what a model of plain arrays finds.
public enum SearchSequence {
  /// - Parameter flaw: A deliberate flaw, or nil.
  /// - Throws: `Finding` if a violation was found.
  public static func run(
    _ bytes: some Sequence<UInt8>, on engine: SequenceEngine = .sqlite, flaw: SearchFlaw? = nil
  ) throws {
    try SearchRun(ByteReader(bytes), engine, flaw).run()
  }
}

/// One run of a sequence.
private final class SearchRun {
  private struct Row: Equatable {
    var title: String
    var lines: [String]

    /// The words of the properties, as the index has them.
    var words: [[String]] { [SearchText.words(title), lines.flatMap(SearchText.words)] }
  }

  private var input: ByteReader
  private let engine: SequenceEngine
  private let flaw: SearchFlaw?
  private let directory: RunDirectory
  private var store: MagicObjectStore
  private var rows: [Int: Row] = [:]
  private var history: [String] = []

  private static let mostCalls = 48

  /// An error that is thrown to roll back a transaction.
  private struct Abandoned: Error {}

  init(_ input: ByteReader, _ engine: SequenceEngine, _ flaw: SearchFlaw?) throws {
    (self.input, self.engine, self.flaw) = (input, engine, flaw)
    directory = try RunDirectory()
    store = try engine.open(directory.database)
  }

  func run() throws {
    defer { store.close() }
    do {
      try insert(in: store)
      while !input.isAtEnd, history.count < Self.mostCalls {
        try call()
        try search(in: store)
      }
      try expectSound()
    } catch {
      throw Finding("\(error) after \(history.joined(separator: "; "))")
    }
  }

  private func call() throws {
    switch input.number(below: 12) {
    case 0: try transact()
    case 1:
      history.append("reopen")
      store.close()
      store = try engine.open(directory.database)
    case 2:
      history.append("verify")
      try expectSound()
    case 3, 4, 5: try changeOutside()
    default: try edit(in: store)
    }
  }

  /// Makes an edit that transactions have too.
  private func edit<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let id = drawnRow()
    switch (input.number(below: 6), id) {
    case (0, let id?):
      history.append("remove \(id)")
      try writer.remove(writer.object(of: Passage.self, primary: id))
      rows[id] = nil
    case (1, let id?):
      let title = text()
      history.append("set the title of \(id) to \(title.debugDescription)")
      try writer.query(Passage.self).where(\.$id == id).update(set: \.$title, to: title)
      rows[id]?.title = title
    case (2, let id?), (3, let id?):
      let row = row()
      history.append("save \(row) as \(id)")
      let passage = try writer.object(of: Passage.self, primary: id)
      (passage.title, passage.lines) = (row.title, row.lines)
      try writer.update(passage)
      rows[id] = row
    default: try insert(in: writer)
    }
  }

  private func insert<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let row = row()
    let passage = Passage()
    (passage.title, passage.lines) = (row.title, row.lines)
    try writer.update(passage)
    history.append("insert \(row) as \(passage.id)")
    rows[passage.id] = row
  }

  /// Makes several edits and searches in a transaction, which commits or rolls back.
  private func transact() throws {
    let before = rows
    let (count, isAbandoned) = (1 + input.number(below: 4), input.byte() & 1 == 1)
    history.append("begin")
    do {
      try store.transaction { transaction in
        for _ in 0..<count {
          try edit(in: transaction.context)
          try search(in: transaction.context)
        }
        if isAbandoned { throw Abandoned() }
      }
      history.append("commit")
    } catch is Abandoned {
      history.append("roll back")
      if flaw != .keepsWhatWasRolledBack { rows = before }
    }
  }

  /// Makes changes as another program does.
  private func changeOutside() throws {
    var all: [String] = []
    for _ in 0...input.number(below: 3) {
      guard let id = drawnRow() else { break }
      let row = row()
      let (title, lines) = (literal(row.title), literal(try JSONEncoder().encode(row.lines)))
      switch input.number(below: 4) {
      case 0:
        history.append("SQL deletes \(id)")
        all.append("DELETE FROM \"Passage\" WHERE id = \(id)")
        rows[id] = nil
      case 1:
        history.append("SQL sets all titles to \(row.title.debugDescription)")
        all.append("UPDATE \"Passage\" SET title = \(title)")
        for id in rows.keys { rows[id]?.title = row.title }
      case 2:
        history.append("SQL replaces \(id) by \(row)")
        let new =
          "INTO \"Passage\" (z_index, id, title, lines, number) "
          + "SELECT z_index, id, \(title), \(lines), number FROM \"Passage\" WHERE id = \(id)"
        all.append(
          engine.hasFiles
            ? "INSERT OR REPLACE \(new)"
            : "INSERT \(new) ON CONFLICT (z_index) DO UPDATE "
              + "SET title = excluded.title, lines = excluded.lines")
        rows[id] = row
      default:
        history.append("SQL sets \(id) to \(row)")
        all.append("UPDATE \"Passage\" SET title = \(title), lines = \(lines) WHERE id = \(id)")
        rows[id] = row
      }
    }
    guard !all.isEmpty else { return }
    try engine.run(
      directory.database, all.joined(separator: ";"), flaw != .changesWithoutTriggers)
  }

  private func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private func literal(_ bytes: Data) -> String {
    let digits = bytes.map { String(format: "%02x", $0) }.joined()
    return engine.hasFiles ? "x'\(digits)'" : "'\\x\(digits)'"
  }

  private func search<Reader: MagicDatabaseReader>(in reader: Reader) throws {
    let search = DrawnSearch(&input)
    let columns = input.number(below: 3)
    var query = reader.query(Passage.self)
    switch columns {
    case 0: query = query.matching(search.match)
    case 1: query = query.matching(search.match, in: \.$title)
    default: query = query.matching(search.match, in: \.$lines)
    }
    let found = try query.all()
    let expected = rows.filter { _, row in
      search.finds(columns == 0 ? row.words : [row.words[columns - 1]])
    }
    let name = "\(search) in \(["all", "the title", "the lines"][columns])"
    guard found.map(\.id).sorted() == expected.keys.sorted() else {
      throw Finding("\(name) finds \(found.map(\.id)), not \(expected.keys.sorted())")
    }
    for passage in found
    where expected[passage.id] != Row(title: passage.title, lines: passage.lines) {
      throw Finding("\(name) finds \(passage.id) with other texts")
    }
    guard try query.count() == expected.count else { throw Finding("\(name) is miscounted") }
  }

  private func expectSound() throws {
    let findings = try store.verify().findings
    guard findings.isEmpty else { throw Finding("`verify` reports: \(findings)") }
  }

  private func drawnRow() -> Int? {
    let ids = rows.keys.sorted()
    return ids.isEmpty ? nil : ids[input.number(below: ids.count)]
  }

  private func text() -> String { SearchText.read(&input, upTo: 12) }

  private func row() -> Row {
    Row(title: text(), lines: (0..<input.number(below: 4)).map { _ in text() })
  }
}
