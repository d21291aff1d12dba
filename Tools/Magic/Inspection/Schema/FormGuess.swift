import Foundation

/// Guesses the form of a column from its declared type, its name and some of its values, for databases
/// that do not describe their columns.
struct FormGuess {
  private let column: DeclaredColumn
  private let table: String
  private let source: any SchemaSource

  init(_ column: DeclaredColumn, of table: String, _ source: any SchemaSource) {
    (self.column, self.table, self.source) = (column, table, source)
  }

  /// The types of columns are those of SQLite and PostgreSQL.
  func form() throws -> InspectedForm {
    switch column.type.uppercased() {
    case "INTEGER", "BIGINT": try isBool() ? .bool : .integer
    case "TEXT": try textForm()
    case "BLOB", "BYTEA": try isJSON() ? .json : .data
    case "", "DOUBLE PRECISION": try isDate() ? .date : .real
    case "BOOLEAN": .bool
    case "UUID": .uuid
    default: .other(column.type)
    }
  }

  private func samples() throws -> [InspectedValue] {
    try source.samples(of: column.name, in: table)
  }

  private func isBool() throws -> Bool {
    let name = column.name
    let prefixes = ["is", "has", "can", "was", "should", "does", "did", "needs", "allows"]
    let isNamedSo = prefixes.contains { prefix in
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isUppercase == true
    }
    guard isNamedSo, column.type.uppercased() == "INTEGER" else { return false }
    return try samples().allSatisfy { $0.integer == 0 || $0.integer == 1 }
  }

  private func textForm() throws -> InspectedForm {
    let texts = try samples().compactMap(\.text)
    guard !texts.isEmpty else { return .text }
    if texts.allSatisfy({ $0.utf8.count == 36 && UUID(uuidString: $0) != nil }) { return .uuid }
    if texts.allSatisfy({ $0.hasPrefix("https://") || $0.hasPrefix("http://") }) { return .url }
    return .text
  }

  private func isJSON() throws -> Bool {
    let values = try samples()
    guard !values.isEmpty else { return false }
    return values.allSatisfy { value in
      guard let bytes = value.bytes, let first = bytes.first else { return false }
      guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else { return false }
      return value.isTruncated || JSONNode.isDocument(bytes)
    }
  }

  /// A real is a date if its name says so and its values are seconds between 1901 and 2101.
  private func isDate() throws -> Bool {
    let name = column.name
    let lower = name.lowercased()
    let isNamedSo =
      lower.hasSuffix("date") || lower.hasSuffix("time") || lower.hasPrefix("date")
      || name.hasSuffix("At") || name.hasSuffix("On")
      || ["born", "created", "updated", "modified", "deleted", "published", "day"].contains(lower)
    guard isNamedSo else { return false }
    return try samples().allSatisfy { abs($0.number ?? .infinity) < 3_155_760_000 }
  }
}
