package import MagicRuntime
package import MagicSchema

/// What the columns of a type's table in a file are called, and behind them the type's collections.
package final class TableNames: Sendable {
  /// As it is written in the file.
  package let table: String
  package let columns: [String]
  package let collections: [String]
  /// What else the engine calls the row ID, folded: no column of the table unless it is in ``columns``.
  let rowKeys: Set<String>
  let all: ColumnSet

  package init(
    table: String, columns: [String], collections: [String], rowKeys: Set<String> = []
  ) {
    self.table = table
    self.columns = columns
    self.collections = collections
    self.rowKeys = rowKeys
    all = ColumnSet.all(columns.count + collections.count)
  }

  package var names: [String] { columns + collections }

  package func isAlike(_ other: TableNames) -> Bool {
    self === other || columns == other.columns && collections == other.collections
  }
}

/// What a transaction, or several one after the other, did to the rows of a type.
package struct TableChanges: Sendable {
  package let names: TableNames
  /// In z-index order, each row once.
  package private(set) var rows: [RowChange]
  /// Whether the primary values of the rows were recorded.
  package private(set) var knowsPrimaries: Bool
  /// What changed in any of the updated rows.
  package private(set) var columns = ColumnSet()
  /// Whether there are rows that were inserted or deleted.
  package private(set) var hasOtherRows = false
  /// Where rows with a primary value are; all copies of the rows share it.
  private var primaryPlaces = PrimaryPlaces()

  /// - Parameter rows: in z-index order.
  package init(names: TableNames, rows: [RowChange], knowsPrimaries: Bool) {
    self.names = names
    self.rows = rows
    self.knowsPrimaries = knowsPrimaries
    summarize()
  }

  private mutating func summarize() {
    columns = ColumnSet()
    hasOtherRows = false
    primaryPlaces = PrimaryPlaces()
    for row in rows {
      if row.kind == .updated { columns.formUnion(row.columns) } else { hasOtherRows = true }
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// The change of a row.
  ///
  /// - Complexity: O(log n) in the rows.
  package func row(_ zIndex: Int64) -> RowChange? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].zIndex < zIndex { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].zIndex == zIndex ? rows[low] : nil
  }

  /// Some of the rows, in z-index order.
  package func with(_ rows: [RowChange]) -> TableChanges {
    TableChanges(names: names, rows: rows, knowsPrimaries: knowsPrimaries)
  }

  /// The rows that have a primary value, or had it.
  ///
  /// - Complexity: O(n) in the rows the first time, for all callers; then O(1).
  package func rows(withPrimary mark: ValueDigest) -> [RowChange] {
    let places = primaryPlaces.of(rows)[mark] ?? []
    return places.map { rows[$0] }
  }

  /// Adds what happened at the same time, such as updates of other columns.
  ///
  /// - Parameter updates: in z-index order.
  package mutating func update(_ updates: [RowChange]) {
    rows = merged(updates) { first, second in
      var both = first
      if both.kind == .updated { both.columns.formUnion(second.columns) }
      both.oldPrimary = first.oldPrimary ?? second.oldPrimary
      both.newPrimary = first.newPrimary ?? second.newPrimary
      return both
    }
    summarize()
  }

  /// Whether primaries of updated rows are not known yet.
  package var lacksPrimaries: Bool {
    knowsPrimaries && rows.contains { $0.kind == .updated && $0.newPrimary == nil }
  }

  /// Finds the primaries of updated rows that are not known yet: they are what they were.
  package mutating func findPrimaries(_ find: (Int64) throws -> ValueDigest?) rethrows {
    for index in rows.indices
    where rows[index].kind == .updated && rows[index].newPrimary == nil {
      let primary = try find(rows[index].zIndex)
      (rows[index].oldPrimary, rows[index].newPrimary) = (primary, primary)
    }
    primaryPlaces = PrimaryPlaces()
  }

  /// Adds what happened later.
  mutating func append(_ later: TableChanges) {
    let all = names.all
    rows = merged(later.rows) { $0.followed(by: $1, all: all) }
    knowsPrimaries = knowsPrimaries && later.knowsPrimaries
    summarize()
  }

  private func merged(
    _ others: [RowChange], _ join: (RowChange, RowChange) -> RowChange?
  ) -> [RowChange] {
    var result: [RowChange] = []
    result.reserveCapacity(rows.count + others.count)
    var other = 0
    for row in rows {
      while other < others.count, others[other].zIndex < row.zIndex {
        result.append(others[other])
        other += 1
      }
      if other < others.count, others[other].zIndex == row.zIndex {
        if let both = join(row, others[other]) { result.append(both) }
        other += 1
      } else {
        result.append(row)
      }
    }
    result.append(contentsOf: others[other...])
    return result
  }
}
