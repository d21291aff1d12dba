import MagicData
import MagicQuery
import MagicRuntime
import MagicStatements
import MagicStore

/// An object whose texts are compared as people compare them.
struct Label: MagicObject {
  @MagicValue(.unique, .compared(.caseInsensitive)) var code: String
  @MagicValue(.indexed, .compared(.localized("de"))) var name: String

  init() {}
  init(_ row: World.LabelRow) { (code, name) = (row.code, row.name) }
}

extension World.LabelRow {
  /// Texts whose order by a language differs from that of their bytes.
  static let names = [
    "", "ada", "Ada", "Apfel", "äpfel", "a\u{308}pfel", "Zoe", "zoe", "éva", "Eva", "ß", "ss", "sz",
    "a-b", "ab", "a b", "10", "9", "Ü", "漢", "🎏",
  ]
  static let codes = ["a", "A", "aB", "Ab", "ä", "Ä", "[", "{", "Z", "z1", "", "é"]

  private static let collator = TextCollator(locale: "de")

  /// Whether a name precedes another in the order of the collation.
  static func precedes(_ left: String, _ right: String) -> Bool {
    Array(left.utf8).withUnsafeBytes { left in
      Array(right.utf8).withUnsafeBytes { collator.compare(left, $0) < 0 }
    }
  }

  /// The code with the letters A to Z in lower case. Codes with the same result are equal.
  static func folded(_ code: String) -> [UInt8] {
    code.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
  }
}

extension SequenceRun {
  /// Edits labels.
  ///
  /// - Parameter number: A number of the input. No byte of the input is read, so that stored inputs keep
  ///   their meaning.
  func editLabel<Writer: MagicDatabaseWriter>(_ number: Int, in writer: Writer) throws {
    let (names, codes) = (World.LabelRow.names, World.LabelRow.codes)
    // The calls before make the same number another edit.
    let number = number + 7 * history.count
    let (kind, rest) = (number % 8, number / 8)
    let row = World.LabelRow(
      code: codes[rest / names.count % codes.count], name: names[rest % names.count])
    let query = writer.query(Label.self)
    switch kind {
    case 0...1 where world.labels.isEmpty: try saveSeveral(rest, to: writer)
    case 0...3: try save(Label(), row, to: writer)
    case 4, 5:
      guard let label = try query.where(\.$code == row.code).first() else { return }
      let code = kind == 4 ? label.code : codes[rest % codes.count]
      try save(label, World.LabelRow(code: code, name: row.name), to: writer)
    case 6:
      history.append("delete labels below \(row.name)")
      let deleted = world.labels.filter { World.LabelRow.precedes($0.value.name, row.name) }.keys
      let count = try query.where(\.$name < row.name).delete()
      guard count == deleted.count else { throw Finding("\(count) labels were deleted") }
      for zIndex in deleted { world.labels[zIndex] = nil }
    default:
      history.append("rename label \(row.code) to \(row.name)")
      let renamed = labels(withCode: row.code)
      let count = try query.where(\.$code == row.code).update(set: \.$name, to: row.name)
      guard count == renamed.count else { throw Finding("\(count) labels were renamed") }
      for zIndex in renamed { world.labels[zIndex]?.name = row.name }
    }
  }

  /// Saves labels into a table without rows, whose indexes can be created after them.
  private func saveSeveral<Writer: MagicDatabaseWriter>(
    _ number: Int, to writer: Writer
  ) throws {
    let (names, codes) = (World.LabelRow.names, World.LabelRow.codes)
    let rows = (0..<2 + number % 9).map { place in
      World.LabelRow(
        code: codes[(number / 9 + place * 5) % codes.count],
        name: names[(number + place) % names.count])
    }
    history.append("save \(rows.count) labels from \(rows[0].code)")
    let labels = rows.map(Label.init)
    let isRefused = Set(rows.map { folded($0.code) }).count < rows.count
    guard !isRefused else {
      return try expect(.notUnique) { try writer.update(contentsOf: labels) }
    }
    for (zIndex, row) in zip(try writer.update(contentsOf: labels), rows) {
      world.labels[zIndex.rawValue] = row
    }
  }

  private func save<Writer: MagicDatabaseWriter>(
    _ label: Label, _ row: World.LabelRow, to writer: Writer
  ) throws {
    history.append("save label \(row.code) \(row.name)")
    let isRefused = labels(withCode: row.code).contains { $0 != label.zIndex?.rawValue }
    (label.code, label.name) = (row.code, row.name)
    guard !isRefused else {
      return try expect(.notUnique) { try writer.update(label) }
    }
    let zIndex = try writer.update(label).rawValue
    world.labels[zIndex] = row
  }

  private func folded(_ code: String) -> [UInt8] {
    flaw == .comparesBytes ? Array(code.utf8) : World.LabelRow.folded(code)
  }

  private func labels(withCode code: String) -> [Int64] {
    world.labels.filter { folded($0.value.code) == folded(code) }.map(\.key)
  }

  /// Checks orders, searches and the smallest and largest name.
  func compareLabels(in reader: some MagicDatabaseReader) throws {
    let query = reader.query(Label.self)
    let names = world.labels.values.map(\.name).sorted(by: World.LabelRow.precedes)
    func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
      guard found == expected else { throw Finding("\(what): \(found), not \(expected)") }
    }
    func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }
    func rows(_ labels: [Label]) -> [Int64] { labels.map { $0.zIndex?.rawValue ?? 0 }.sorted() }
    try expect(
      bytes(try query.order(by: \.$name).all().map(\.name)), bytes(names), "the order of labels")
    try expect(try query.min(\.$name).map { Array($0.utf8) }, bytes(names).first, "the first label")
    try expect(try query.max(\.$name).map { Array($0.utf8) }, bytes(names).last, "the last label")
    let name = World.LabelRow.names[history.count % World.LabelRow.names.count]
    let code = World.LabelRow.codes[history.count % World.LabelRow.codes.count]
    try expect(
      rows(try query.where(\.$name == name).all()),
      world.labels.filter { Array($0.value.name.utf8) == Array(name.utf8) }.map(\.key).sorted(),
      "the labels \(name)")
    try expect(
      rows(try query.where(\.$name > name).all()),
      world.labels.filter { World.LabelRow.precedes(name, $0.value.name) }.map(\.key).sorted(),
      "the labels above \(name)")
    try expect(
      rows(try query.where(\.$code == code).all()), labels(withCode: code).sorted(),
      "the label with the code \(code)")
  }
}
