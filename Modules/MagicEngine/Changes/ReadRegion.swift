import MagicSchema

/// The tables and columns that a read depends on. A commit that changes nothing in its region
/// cannot change its result.
package struct ReadRegion: Sendable, Equatable {
  /// The tables by case-folded name, with the case-folded names of columns. Nil means all columns.
  package private(set) var tables: [String: Set<String>?] = [:]
  /// Whether any commit may change the result.
  package var isAny = false
  /// The table that the rows of the result belong to.
  package var root: Root?

  package struct Root: Sendable, Equatable {
    let table: String
    /// The columns that determine which rows are in the result, and their order.
    let deciding: Set<String>
  }

  package init() {}

  /// The filter for an observer of the region.
  package var filter: ObservationFilter {
    var filter = ObservationFilter(tables: Set(tables.keys))
    filter.isAny = isAny
    return filter
  }

  /// Inserts a table with all its columns.
  package mutating func insert(table: String) { tables[table.folded] = .some(nil) }

  /// Inserts a column of a table. An empty name means that the read depends only on the number of
  /// rows.
  package mutating func insert(table: String, column: String) {
    let table = table.folded
    guard case .some(let known) = tables[table] else {
      tables[table] = column.isEmpty ? [] : [column.folded]
      return
    }
    guard var columns = known, !column.isEmpty else { return }
    columns.insert(column.folded)
    tables[table] = columns
  }

  package mutating func formUnion(_ other: ReadRegion) {
    isAny = isAny || other.isAny
    for (table, columns) in other.tables {
      guard case .some(let known) = tables[table] else {
        tables[table] = columns
        continue
      }
      if let known, let columns {
        tables[table] = known.union(columns)
      } else {
        tables[table] = .some(nil)
      }
    }
  }

  /// Whether every commit that may change a result of this region may also change a result of the
  /// other region.
  package func isCovered(by other: ReadRegion) -> Bool {
    if other.isAny { return true }
    guard !isAny, other.root == nil else { return false }
    return tables.allSatisfy { table, columns in
      guard case .some(let known) = other.tables[table] else { return false }
      guard let known else { return true }
      return columns?.isSubset(of: known) ?? false
    }
  }

  /// Sets the table that the rows of the result belong to. A part of the region determines the
  /// rows.
  package mutating func setRoot(_ table: String, decidedBy part: ReadRegion) {
    guard case .some(.some(let columns)) = part.tables[table.folded] else { return }
    root = Root(table: table.folded, deciding: columns)
  }
}
