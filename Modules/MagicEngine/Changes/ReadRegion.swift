import MagicSchema

/// What a read looks at: a commit that changed nothing of it cannot change the result.
package struct ReadRegion: Sendable, Equatable {
  /// Tables by their folded names, with the folded names of columns; nil for all of them.
  package private(set) var tables: [String: Set<String>?] = [:]
  /// Whether any commit may change the result.
  package var isAny = false
  /// The table of which the result's rows are.
  package var root: Root?

  package struct Root: Sendable, Equatable {
    let table: String
    /// The columns that say which rows they are, and in what order.
    let deciding: Set<String>
  }

  package init() {}

  /// What an observer of the region observes.
  package var interest: ObservationFilter {
    var interest = ObservationFilter(tables: Set(tables.keys))
    interest.isAny = isAny
    return interest
  }

  /// A table is looked at as a whole.
  package mutating func insert(table: String) { tables[table.folded] = .some(nil) }

  /// A column of a table is looked at; of "", that rows are counted.
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

  /// Whether a commit that may change a result of this region may be one of the other's.
  package func isCovered(by other: ReadRegion) -> Bool {
    if other.isAny { return true }
    guard !isAny, other.root == nil else { return false }
    return tables.allSatisfy { table, columns in
      guard case .some(let known) = other.tables[table] else { return false }
      guard let known else { return true }
      return columns?.isSubset(of: known) ?? false
    }
  }

  /// The result's rows are of a table, and a part of it says which they are.
  package mutating func setRoot(_ table: String, decidedBy part: ReadRegion) {
    guard case .some(.some(let columns)) = part.tables[table.folded] else { return }
    root = Root(table: table.folded, deciding: columns)
  }
}
