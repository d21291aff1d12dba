package import MagicRuntime
import MagicSchema

/// Decides whether a commit may have changed a result. The filter compares tables first, then
/// columns, and then rows if the rows of the result are known.
package final class RegionFilter: Locked, @unchecked Sendable {
  private var region: ReadRegion
  private var rows: Set<Int64>?
  /// A cache of the column sets of each table: the columns that the result depends on, and the
  /// columns of the root table that determine its rows.
  private var masks: [String: (names: TableNames, observed: ColumnSet, deciding: ColumnSet)] = [:]

  package init(_ region: ReadRegion) { self.region = region }

  /// Replaces the region of the read.
  package func set(_ region: ReadRegion) {
    withLock {
      self.region = region
      rows = nil
      masks = [:]
    }
  }

  /// Sets the row IDs of the result. Nil means that they are not known.
  package func set(rows: Set<Int64>?) { withLock { self.rows = rows } }

  /// Whether a commit may have changed the result.
  package func isAffected(by changes: CommittedChanges) -> Bool {
    withLock {
      guard !changes.isUnknown, !region.isAny else { return true }
      for table in changes.others.union(changes.unknown) where region.tables[table] != nil {
        return true
      }
      return changes.tables.list.contains { isAffected($0.name, by: $0.changes) }
    }
  }

  private func isAffected(_ table: String, by changes: TableChanges) -> Bool {
    guard case .some = region.tables[table] else { return false }
    if changes.hasInsertedOrDeletedRows { return true }
    let (_, observed, deciding) = mask(table, changes.names)
    guard !changes.columns.isDisjoint(with: observed) else { return false }
    guard let rows, region.root?.table == table else { return true }
    if changes.columns.isDisjoint(with: deciding), rows.count < changes.rows.count {
      return rows.contains { zIndex in
        changes.row(zIndex).map { !$0.columns.isDisjoint(with: observed) } ?? false
      }
    }
    return changes.rows.contains { row in
      !row.columns.isDisjoint(with: deciding)
        || rows.contains(row.zIndex) && !row.columns.isDisjoint(with: observed)
    }
  }

  private func mask(
    _ table: String, _ names: TableNames
  ) -> (names: TableNames, observed: ColumnSet, deciding: ColumnSet) {
    if let known = masks[table], known.names === names { return known }
    var (observed, deciding) = (ColumnSet(), ColumnSet())
    let own = Set(names.columns.map(\.folded)).union(names.rowKeys)
    // A computed column may depend on any other column.
    func isObserved(_ name: String, _ columns: Set<String>?) -> Bool {
      columns.map { $0.contains(name) || !$0.isSubset(of: own) } ?? true
    }
    for (index, name) in names.columns.enumerated() {
      if isObserved(name.folded, region.tables[table] ?? nil) { observed.insert(index) }
      if let root = region.root, root.table == table, isObserved(name.folded, root.deciding) {
        deciding.insert(index)
      }
    }
    masks[table] = (names, observed, deciding)
    return (names, observed, deciding)
  }
}
