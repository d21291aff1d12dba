package import MagicRuntime
import MagicSchema

/// Tells whether a commit could have changed a result: tables are compared first, then columns, and
/// then, for a result whose rows are known, rows.
package final class RegionFilter: Locked, @unchecked Sendable {
  private var region: ReadRegion
  private var rows: Set<Int64>?
  /// What was last compared, and what of it is looked at: the columns of each table, and those of the
  /// root that decide.
  private var masks: [String: (names: TableNames, looked: ColumnSet, deciding: ColumnSet)] = [:]

  package init(_ region: ReadRegion) { self.region = region }

  /// The read looks at something else now.
  package func set(_ region: ReadRegion) {
    withLock {
      self.region = region
      rows = nil
      masks = [:]
    }
  }

  /// The z-indexes of the result; nil while they are not known.
  package func set(rows: Set<Int64>?) { withLock { self.rows = rows } }

  /// Whether a commit could have changed the result.
  package func isTouched(by changes: CommittedChanges) -> Bool {
    withLock {
      guard !changes.isUnknown, !region.isAny else { return true }
      for table in changes.others.union(changes.unknown) where region.tables[table] != nil {
        return true
      }
      return changes.tables.contains { isTouched($0, by: $1) }
    }
  }

  private func isTouched(_ table: String, by changes: TableChanges) -> Bool {
    guard case .some = region.tables[table] else { return false }
    if changes.hasOtherRows { return true }
    let (_, looked, deciding) = mask(table, changes.names)
    guard !changes.columns.isDisjoint(with: looked) else { return false }
    guard let rows, region.root?.table == table else { return true }
    if changes.columns.isDisjoint(with: deciding), rows.count < changes.rows.count {
      return rows.contains { zIndex in
        changes.row(zIndex).map { !$0.columns.isDisjoint(with: looked) } ?? false
      }
    }
    return changes.rows.contains { row in
      !row.columns.isDisjoint(with: deciding)
        || rows.contains(row.zIndex) && !row.columns.isDisjoint(with: looked)
    }
  }

  private func mask(
    _ table: String, _ names: TableNames
  ) -> (names: TableNames, looked: ColumnSet, deciding: ColumnSet) {
    if let known = masks[table], known.names === names { return known }
    var (looked, deciding) = (ColumnSet(), ColumnSet())
    let own = Set(names.columns.map(\.folded)).union(names.rowKeys)
    // A column that is computed may be so of any other.
    func isLooked(_ name: String, _ columns: Set<String>?) -> Bool {
      columns.map { $0.contains(name) || !$0.isSubset(of: own) } ?? true
    }
    for (index, name) in names.columns.enumerated() {
      if isLooked(name.folded, region.tables[table] ?? nil) { looked.insert(index) }
      if let root = region.root, root.table == table, isLooked(name.folded, root.deciding) {
        deciding.insert(index)
      }
    }
    masks[table] = (names, looked, deciding)
    return (names, looked, deciding)
  }
}
