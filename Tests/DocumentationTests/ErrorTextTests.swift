import Foundation
import Testing

/// The form of every text that a `MagicError` can have, read from the library's sources.
@Suite struct ErrorTextTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What a text may interpolate: names, numbers of rows and versions, and the texts of lower errors,
  /// but never a value that a user has stored. An entry is added on purpose, after review.
  private static let reviewed: Set<String> = [
    "$0", "names", "what", "Format.current", "LineFile.largestDescribedLine",
    "RowIDRange.counterLimit - 1", "Self.depthLimit",
    "Self.sizeLimit",
    "String(cString: strerror(errno))",
    "String(cString: strerror(number))", "batch.columnName(column)", "batch.firstRow + index",
    "column", "column.table", "column.valueType", "columns.count", "companion", "current", "error",
    "error.message", "expected", "found", "index", "index + 1", "kind", "limit", "links",
    "list.ownerTable",
    "list.property", "location",
    "maximum", "message", "name", "noun", "number", "object.name", "other.description", "owner",
    "owner.qualifiedName", "path", "path + companion", "reason",
    "rowID", "renaming.old", "renaming.schema.qualifiedName", "report", "row",
    "schema.migrations.version",
    "schema.qualifiedName", "schema.tableName", "schema.typeName", "step.summary", "step.type",
    "stored", "suffix", "zIndex",
    "table", "table.name", "target.typeName", "type",
    "type(of: error)",
    "version", "zIndex.rawValue", "zIndexes[index]",
    // Names of types, properties and columns, and numbers, in the errors of raw SQL and of indexes.
    "Swift.type(of: error)", "column.schema.typeName", "error.message.dropLast()", "found.count",
    "key", "own.count", "row.number", "typeName", "valueType",
    #"RowIDText.text(rows, ("has a duplicate value", "have duplicate values"))"#,
    #"RowIDText.text(rows, ("names", "name"))"#,
    #"RowIDText.text(rows, ("refers", "refer"))"#,
    "indexed",
    // Names and numbers in the errors of exports.
    "FolderManifest.file", "Self.file", "Self.place(of: error)",
    "count", "fault.reason", "found.bytes",
    "expected.bytes",
    // The same in the errors of PostgreSQL's migrations and results, and of pages and searches.
    #"RowIDText.text(found, ("has a duplicate value", "have duplicate values"))"#,
    #"RowIDText.text(others, ("keeps", "keep"))"#,
    "column.name", #"columns.joined(separator: ", ")"#, "index.name", "place", "step",
    "timeout", "type.name", "type.shortName", "width",
    // Names of folders, entities and properties, in the errors of stores of Core Data.
    "folder", "models.count", "refusal.reason",
    // The random names of assets, and numbers of rows, in the errors of copies.
    "asset.text", "digest.count", "expected.count", "name.text",
    // Names and places in the errors of documents and imports, without the values there.
    "entry.path.text", "property.schema.property", "self", "text", "fault",
    #"step.refusal ?? """#,
    #"target.map { "row \($0), which does not exist" } ?? "a value that is not a row ID""#,
  ]

  private static func texts() throws -> [ErrorText] {
    let modules = root.appendingPathComponent("Modules")
    return try FileManager.default.subpathsOfDirectory(atPath: modules.path)
      .filter { $0.hasSuffix(".swift") }.sorted()
      .flatMap { file in
        let source = try String(contentsOf: modules.appendingPathComponent(file), encoding: .utf8)
        return ErrorText.all(in: source, of: file)
      }
  }

  @Test func everyTextIsASentence() throws {
    let texts = try Self.texts()
    // The search would find nothing if the name of the type had changed.
    #expect(texts.count > 120)
    for text in texts {
      let first = text.pattern.first
      #expect(
        first?.isUppercase == true || first == ErrorText.hole,
        "begins with no capital: \(text)")
      #expect(
        text.pattern.last == "." || text.pattern.last == ErrorText.hole, "has no full stop: \(text)"
      )
      #expect(!text.pattern.contains("  "), "has two spaces: \(text)")
      #expect(!text.pattern.contains("!"), "has an exclamation mark: \(text)")
    }
  }

  @Test func noTextHasARefusedWord() throws {
    let list = Self.root.appendingPathComponent("ci/words.txt")
    let patterns = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: "\t").first }
    #expect(patterns.count > 10)
    let texts = try Self.texts()
    for pattern in patterns {
      let word = try Regex("\\b(\(pattern))\\b").ignoresCase()
      for text in texts {
        #expect(text.pattern.firstMatch(of: word) == nil, "\(pattern): \(text)")
      }
    }
  }

  @Test func onlyReviewedExpressionsAreInterpolated() throws {
    let used = Set(try Self.texts().flatMap(\.interpolations))
    #expect(used.subtracting(Self.reviewed).sorted() == [])
    #expect(Self.reviewed.subtracting(used).sorted() == [], "no longer used")
  }

  @Test func textsAreFoundInCallsOfSeveralLines() {
    let source = """
      throw MagicError(
        .tooBig, "The \\(kind(of: "x")) of \\(name) is " + "too large.", type: name)
      // MagicError(.closed, "not a text")
      throw MagicError(error.code, error.message)
      """
    let texts = ErrorText.all(in: source, of: "Sample.swift")
    #expect(texts.map(\.pattern) == ["The \u{FFFC} of \u{FFFC} is too large."])
    #expect(texts.map(\.interpolations) == [["kind(of: \"x\")", "name"]])
  }
}

/// The text of one call of `MagicError(…)`.
struct ErrorText: CustomStringConvertible {
  /// The placeholder of an interpolation.
  static let hole: Character = "\u{FFFC}"

  let file: String
  /// The text with a ``hole`` for each interpolation.
  private(set) var pattern = ""
  /// The expressions that are interpolated.
  private(set) var interpolations: [String] = []

  var description: String { "\(file): \(pattern)" }

  /// Returns the texts of all calls in a source that contain a string literal.
  static func all(in source: String, of file: String) -> [ErrorText] {
    let code = source.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return code.matches(of: /\bMagicError\(/).compactMap { match in
      var text = ErrorText(file: file)
      var rest = code[match.range.upperBound...]
      text.readArguments(&rest)
      return text.pattern.isEmpty ? nil : text
    }
  }

  /// Reads up to the closing parenthesis of a call.
  private mutating func readArguments(_ rest: inout Substring) {
    var depth = 1
    while depth > 0, let character = rest.popFirst() {
      switch character {
      case "(": depth += 1
      case ")": depth -= 1
      case "\"": readLiteral(&rest)
      default: break
      }
    }
  }

  /// Reads a literal after its opening quotation mark.
  private mutating func readLiteral(_ rest: inout Substring) {
    while let character = rest.popFirst(), character != "\"" {
      guard character == "\\", let escaped = rest.popFirst() else {
        pattern.append(character)
        continue
      }
      if escaped == "(" {
        pattern.append(Self.hole)
        interpolations.append(Self.expression(&rest))
      } else {
        pattern.append(escaped)
      }
    }
  }

  /// Reads an interpolated expression after its opening parenthesis.
  private static func expression(_ rest: inout Substring) -> String {
    var depth = 1
    var isText = false
    var result = ""
    while let character = rest.popFirst() {
      if character == "\"" { isText.toggle() }
      if !isText { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
      if depth == 0 { break }
      result.append(character)
    }
    return result
  }
}
