import Foundation
import MagicSQLite

/// Guesses the form of a column from its declared type, its name and some of its values, for files
/// that do not describe their columns.
struct FormGuess {
  let reader: InspectionReader
  let table: String
  let column: DeclaredColumn

  func form() throws -> InspectedForm {
    switch column.type.uppercased() {
    case "INTEGER": try isBool() ? .bool : .integer
    case "TEXT": try textForm()
    case "BLOB": try isJSON() ? .json : .data
    case "": try isDate() ? .date : .real
    default: .other(column.type)
    }
  }

  /// Up to 16 values that are not NULL.
  private func samples() throws -> [InspectedValue] {
    try reader.map(
      "SELECT \(column.name.quoted) FROM \(table.quoted) WHERE \(column.name.quoted) IS NOT NULL LIMIT 16"
    ) { InspectedValue($0.column(0), limit: 4_096) }
  }

  private func isBool() throws -> Bool {
    let name = column.name
    let prefixes = ["is", "has", "can", "was", "should", "does", "did", "needs", "allows"]
    let isNamedSo = prefixes.contains { prefix in
      name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isUppercase == true
    }
    guard isNamedSo else { return false }
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
