import Foundation
import MagicSQLite

/// The part of a text that shows what a search has found.
public struct SearchSnippet: Hashable, Sendable {
  /// A part of the text, and whether the search has found it.
  public struct Part: Hashable, Sendable {
    /// The text.
    public let text: String
    /// Whether it is a word of the search.
    public let isFound: Bool
  }

  /// The parts, in the order of the text. An ellipsis replaces what is left out.
  public let parts: [Part]

  /// The text without marks.
  public var text: String { parts.map(\.text).joined() }

  /// How much of a long text is shown before the first mark and after it, in scalars.
  private static let (lengthBefore, lengthAfter) = (60, 200)

  /// The marks, which texts do not contain.
  private static let (start, end) = ("\u{2}" as Unicode.Scalar, "\u{3}" as Unicode.Scalar)

  /// Divides a text with marks around what was found, and cuts it around the first mark; nil if there
  /// is none.
  init?(marked text: String) {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(of: Self.start) else { return nil }
    let (low, high) = (scalars.startIndex, scalars.endIndex)
    let lower = scalars.index(first, offsetBy: -Self.lengthBefore, limitedBy: low) ?? low
    let upper = scalars.index(first, offsetBy: Self.lengthAfter, limitedBy: high) ?? high
    var parts: [Part] = []
    var piece = (lower > low ? "…" : "").unicodeScalars
    func endPart(isFound: Bool) {
      if !piece.isEmpty { parts.append(Part(text: String(piece), isFound: isFound)) }
      piece = String.UnicodeScalarView()
    }
    var isInMarks = false
    for scalar in scalars[lower..<upper] {
      if scalar == Self.start || scalar == Self.end {
        endPart(isFound: isInMarks)
        isInMarks = scalar == Self.start
      } else {
        piece.append(scalar)
      }
    }
    // A long word can be cut before its end.
    endPart(isFound: isInMarks)
    if upper < high { parts.append(Part(text: "…", isFound: false)) }
    guard parts.contains(where: \.isFound) else { return nil }
    self.parts = parts
  }
}

extension InspectionReader {
  /// The largest part of a text in which a snippet is searched, in bytes.
  private static let snippetTextLimit = 128 << 10
  /// The size of all texts in which snippets are searched, in bytes.
  private static let snippetLimit = 4 << 20

  /// Returns the snippets of rows that a search by an index has found, by the row ID and the name of
  /// the column. Of texts beyond 128 KiB, and of rows beyond 4 MiB, there are none.
  public func snippets(
    of search: RowSearch, in type: InspectedType, _ rowIDs: [Int64]
  ) throws -> [Int64: [String: SearchSnippet]] {
    guard let index = search.index, !rowIDs.isEmpty else { return [:] }
    return try translatingErrors {
      // The index does not contain the texts, so a temporary one in memory finds the words.
      let memory = try SQLiteConnection(inMemory: SQLiteConfiguration())
      defer { memory.close() }
      try memory.execute("CREATE VIRTUAL TABLE found USING fts5(\(index.moduleArguments))")
      try insertTexts(of: rowIDs, type, index, memory)
      return try snippets(search, index, memory)
    }
  }

  private func insertTexts(
    of rowIDs: [Int64], _ type: InspectedType, _ index: InspectedSearchIndex,
    _ memory: SQLiteConnection
  ) throws {
    let names = index.columns.map(\.column.column.quoted).joined(separator: ", ")
    let sql = """
      SELECT \(names) FROM \(type.table.quoted) WHERE \(InspectedType.rowIDColumn.quoted) = ?
      """
    let places = index.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try memory.prepare(
      """
      INSERT INTO found (rowid, \(index.columns.indices.map { "c\($0)" }.joined(separator: ", "))) \
      VALUES (?, \(places))
      """)
    var size = 0
    for rowID in rowIDs {
      let values = try map(sql, [.init(.integer(rowID))]) { statement in
        index.columns.indices.map {
          InspectedValue(statement.column($0), limit: Self.snippetTextLimit)
        }
      }.first
      guard let values else { continue }
      try insert.bind(rowID, at: 1)
      for (position, (column, value)) in zip(index.columns, values).enumerated() {
        let text = indexedText(value, column.kind)
        size += text.utf8.count
        try insert.bind(text, at: position + 2)
      }
      try insert.run()
      guard size < Self.snippetLimit else { return }
    }
  }

  /// The text of a value that the index contains, without the characters that are marks.
  private func indexedText(_ value: InspectedValue, _ kind: InspectedSearchIndex.Kind) -> String {
    let text: String
    switch kind {
    case .text: text = value.text ?? ""
    case .list:
      let data = value.bytes.map { Data($0) } ?? Data((value.text ?? "").utf8)
      let list = (try? JSONSerialization.jsonObject(with: data)) as? [Any] ?? []
      text = list.compactMap { $0 as? String }.joined(separator: "\n")
    case .file:
      guard let url = value.text.flatMap(assetFile(named:)),
        let file = try? FileHandle(forReadingFrom: url)
      else { return "" }
      defer { try? file.close() }
      let data = (try? file.read(upToCount: Self.snippetTextLimit)) ?? nil
      text = String(decoding: data ?? Data(), as: UTF8.self)
    }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value == 2 || $0.value == 3 ? "\u{FFFD}" : $0 }))
  }

  private func snippets(
    _ search: RowSearch, _ index: InspectedSearchIndex, _ memory: SQLiteConnection
  ) throws -> [Int64: [String: SearchSnippet]] {
    // The work of the function `snippet` is quadratic in the number of words that are found.
    let parts = index.columns.indices.map { "highlight(found, \($0), char(2), char(3))" }
    let statement = try memory.prepare(
      "SELECT rowid, \(parts.joined(separator: ", ")) FROM found WHERE found MATCH ?")
    try statement.bind(search.match, at: 1)
    var found: [Int64: [String: SearchSnippet]] = [:]
    while try statement.step() {
      var snippets: [String: SearchSnippet] = [:]
      for (position, column) in index.columns.enumerated() {
        let text = statement.column(position + 1).text
        snippets[column.column.column] = SearchSnippet(marked: text)
      }
      found[statement.column(0).integer] = snippets
    }
    return found
  }
}
