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
      return redundant(type) + missing(type) + unselective(type, own)
        + (try unknown(type, own, path))
    }
  }

  /// Whether the index belongs to the library: that of a to-one.
  private func isOwn(_ index: InspectedIndex, _ type: InspectedType) -> Bool {
    guard index.columns.count == 1, let column = index.columns.first else { return false }
    return type.relationships.contains { $0.source == .column(column) }
      && index.name == "\(type.table)(\(column))"
  }

  /// Indexes whose columns another one begins with, or has.
  private func redundant(_ type: InspectedType) -> [Advice] {
    type.indexes.enumerated().compactMap { position, index in
      guard !index.isPartial, !isOwn(index, type), !index.columns.contains("") else { return nil }
      let other = type.indexes.enumerated().first { otherPosition, other in
        guard otherPosition != position, !other.isPartial,
          other.columns.starts(with: index.columns),
          other.collations.starts(with: index.collations)
        else { return false }
        let isLonger = other.columns.count > index.columns.count
        // A unique index also refuses values. Of two equal ones the later is not needed.
        if index.isUnique { return other.isUnique && !isLonger && otherPosition < position }
        return isLonger || other.isUnique || otherPosition < position
      }?.element
      guard let other else { return nil }
      let reason =
        other.columns.count == index.columns.count
        ? "has the same columns" : "begins with the same columns"
      return Advice(
        subject: "redundant index",
        text: "\(line(index.name)) is not needed: \(line(other.name)) \(reason). Each index makes "
          + "saves slower and the file larger. Remove .indexed from the property, or the index from "
          + "the indexes of the type.")
    }
  }

  /// Relationships without an index.
  private func missing(_ type: InspectedType) -> [Advice] {
    type.relationships.compactMap { relationship in
      guard case .column(let column) = relationship.source,
        !type.indexes.contains(where: { $0.columns.first == column && !$0.isPartial })
      else { return nil }
      return Advice(
        subject: "missing index",
        text: "The to-one column \(line(column)) of \(line(type.table)) has no index. Finding "
          + "what refers to an object reads the whole table.")
    }
  }

  /// Indexes of which each value selects many rows.
  private func unselective(_ type: InspectedType, _ statistics: [InspectedStatistics]) -> [Advice] {
    type.indexes.compactMap { index in
      guard !index.isUnique, !index.isPartial, !isOwn(index, type),
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
