import Foundation
import MagicInspection

/// Looks for indexes that cost more than they save, and for what SQLite does not know about them. It
/// does not record which indexes it uses.
struct IndexDiagnosis {
  let reader: InspectionReader
  let database: InspectedDatabase

  /// Tables with fewer rows are read quickly in any way.
  private static let rowLimit = 10_000
  /// An index that selects more than this part of the rows is rarely faster than the table.
  private static let largestPart = 4

  /// - Parameter path: the path for a shell.
  func advice(path: String) throws -> [Advice] {
    let statistics = try reader.statistics()
    var advice: [Advice] = []
    var unknown: [String] = []
    for type in database.types {
      let own = statistics.filter { $0.table == type.table }
      let rules = IndexRules(type: type, isOnServer: false)
      advice += rules.redundant() + rules.missing() + unselective(rules, own)
      guard let count = try count(of: type, own) else { continue }
      if own.isEmpty { unknown.append(line(type.table)) }
      if let reason = outdated(type, own, count) {
        advice.append(
          Advice(
            subject: "old statistics",
            text: "SQLite's statistics of \(line(type.table)) \(reason). \(Self.purpose)",
            command: "sqlite3 \(path) ANALYZE"))
      }
    }
    guard !unknown.isEmpty else { return advice }
    return advice + [
      Advice(
        subject: "no statistics",
        text: "SQLite has no statistics of \(unknown.joined(separator: ", ")). \(Self.purpose)",
        command: "sqlite3 \(path) ANALYZE")
    ]
  }

  private static let purpose =
    "With them it chooses between indexes by the number of rows that each selects."

  /// Indexes of which each value selects many rows.
  private func unselective(_ rules: IndexRules, _ statistics: [InspectedStatistics]) -> [Advice] {
    rules.type.indexes.compactMap { index in
      guard !index.isUnique, !index.isPartial, !rules.isOwn(index),
        let found = statistics.first(where: { $0.index == index.name }),
        found.rows >= Self.rowLimit, let rows = found.rowsPerKey.last,
        rows > found.rows / Self.largestPart
      else { return nil }
      return Advice(
        subject: "unselective index",
        text:
          "A value of \(line(index.name)) selects \(rows.grouped) of \(found.rows.grouped) rows "
          + "on average, so reading the table is as fast. Remove the index, unless queries need a "
          + "rare value of it: for these, a partial index is smaller.")
    }
  }

  /// Returns the number of rows of a table about which statistics matter; nil for others.
  private func count(
    of type: InspectedType, _ statistics: [InspectedStatistics]
  ) throws -> Int? {
    guard type.indexes.count > 1 else { return nil }
    let count = try reader.count(of: type, within: .milliseconds(500)).number
    return max(count, statistics.map(\.rows).max() ?? 0) >= Self.rowLimit ? count : nil
  }

  /// Says why statistics are outdated; nil if they are not, or do not exist.
  private func outdated(
    _ type: InspectedType, _ statistics: [InspectedStatistics], _ count: Int
  ) -> String? {
    guard let known = statistics.map(\.rows).max() else { return nil }
    let (rows, former) = (max(count, 1), max(known, 1))
    guard rows / Self.largestPart < former, former / Self.largestPart < rows else {
      return "were made for \(known.grouped) rows, and there are \(count.grouped)"
    }
    let names = Set(statistics.compactMap(\.index))
    let added = type.indexes.first { !$0.isPartial && !names.contains($0.name) }
    return added.map { "do not contain the index \(line($0.name))" }
  }

  private func line(_ text: String) -> String { InspectedText.line(text) }
}
