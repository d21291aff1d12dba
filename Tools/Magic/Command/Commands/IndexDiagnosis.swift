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
    return try database.types.flatMap { type in
      let own = statistics.filter { $0.table == type.table }
      let rules = IndexRules(type: type, isOnServer: false)
      return rules.redundant() + rules.missing() + unselective(rules, own)
        + (try unknown(type, own, path))
    }
  }

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

  /// Statistics that do not exist, or that are outdated.
  private func unknown(
    _ type: InspectedType, _ statistics: [InspectedStatistics], _ path: String
  ) throws -> [Advice] {
    guard type.indexes.count > 1 else { return [] }
    let count = try reader.count(of: type, within: .milliseconds(500)).number
    let known = statistics.map(\.rows).max()
    guard max(count, known ?? 0) >= Self.rowLimit else { return [] }
    let reason: String
    if let known {
      let isNear =
        max(count, 1) / Self.largestPart < max(known, 1)
        && max(known, 1) / Self.largestPart < max(count, 1)
      let names = Set(statistics.compactMap(\.index))
      let added = type.indexes.first { !$0.isPartial && !names.contains($0.name) }
      if !isNear {
        reason = "were made for \(known.grouped) rows, and there are \(count.grouped)"
      } else if let added {
        reason = "do not contain the index \(line(added.name))"
      } else {
        return []
      }
    } else {
      reason = "do not exist"
    }
    return [
      Advice(
        subject: known == nil ? "no statistics" : "old statistics",
        text: "SQLite's statistics of \(line(type.table)) \(reason). With them it chooses between "
          + "indexes by the number of rows that each selects.",
        command: "sqlite3 \(path) ANALYZE")
    ]
  }

  private func line(_ text: String) -> String { InspectedText.line(text) }
}
