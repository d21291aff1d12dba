import MagicEngine
import MagicRuntime
import MagicSchema

/// The changes of a transaction: the differences between its tables and those before it.
extension MemoryTables {
  /// Whether the transaction has written a row or a collection.
  var hasTouchedRows: Bool {
    all.values.contains(where: \.hasTouchedRows)
  }

  /// The observed changes, or nil if there are none.
  func changes(
    since before: MemoryTables, _ filter: ObservationFilter, hasWritten: Bool
  ) -> CommittedChanges? {
    var changes = CommittedChanges()
    for (name, table) in all {
      let isType = filter.isAllTypes || filter.types.contains(name)
      let changedOwners = table.schema.collections.map {
        isType ? self.changedOwners(of: $0, since: before) : []
      }
      var own = TableChanges(
        names: table.names, rows: [], hasRecordedPrimaries: true,
        keys: isType
          ? table.changedKeys(since: before.all[name], changedOwners.flatMap(\.self)) : nil)
      if isType || filter.tables.contains(name) {
        own.update(table.rowChanges(since: before.all[name]))
      }
      for (place, collection) in table.schema.collections.enumerated() {
        guard collection.through == nil else {
          own.update(table.updates(of: changedOwners[place], place, since: before.all[name]))
          continue
        }
        let joinTable = collection.joinTable(of: table.schema).folded
        guard isType || filter.tables.contains(joinTable) else { continue }
        let rows = table.memberChanges(of: place, since: before.all[name])
        if rows.isEmpty { continue }
        changes.others.insert(joinTable)
        if isType { own.update(rows) }
      }
      if !own.isEmpty { changes.tables[name] = own }
    }
    return changes.isEmpty && !(filter.isAny && hasWritten) ? nil : changes
  }
}

extension MemoryTable {
  fileprivate var hasTouchedRows: Bool {
    !touched.isEmpty || collections.contains { !$0.touched.isEmpty }
  }

  /// The rows that were inserted, deleted or updated, ascending.
  fileprivate func rowChanges(since before: MemoryTable?) -> [RowChange] {
    touched.keys.compactMap { rowChange($0, since: before?.rows[$0]) }
  }

  /// The keys of the rows that may have changed; nil for a type without a key.
  fileprivate func changedKeys(
    since before: MemoryTable?, _ others: [Int64]
  ) -> [Int64: KeyDigests]? {
    guard !schema.key.isEmpty else { return nil }
    func digests(_ row: StoredRow?) -> [ValueDigest?] {
      row.map { row in schema.key.map { row.values[$0].digest } } ?? []
    }
    let owners = collections.flatMap { Array($0.touched.keys) } + others
    return Dictionary(
      (Array(touched.keys) + owners).map { rowID in
        (rowID, KeyDigests(old: digests(before?.rows[rowID]), new: digests(rows[rowID])))
      }, uniquingKeysWith: { first, _ in first })
  }

  private func rowChange(_ rowID: Int64, since old: StoredRow?) -> RowChange? {
    let new = rows[rowID]
    guard let old else { return new.map { change(.inserted, rowID, ColumnSet(), nil, $0) } }
    guard let new else { return change(.deleted, rowID, ColumnSet(), old, nil) }
    var columns = ColumnSet()
    for column in new.values.indices
    where old.values[column].digest != new.values[column].digest { columns.insert(column) }
    return columns.isEmpty ? nil : change(.updated, rowID, columns, old, new)
  }

  /// The owners whose members of a collection have changed, ascending.
  fileprivate func memberChanges(of collection: Int, since before: MemoryTable?) -> [RowChange] {
    var columns = ColumnSet()
    columns.insert(schema.columns.count + collection)
    return collections[collection].touched.keys.compactMap { owner -> RowChange? in
      let old = before?.collections[collection].members(of: owner) ?? []
      guard !old.elementsEqual(collections[collection].members(of: owner), by: ==) else {
        return nil
      }
      return change(.updated, owner, columns, before?.rows[owner], rows[owner])
    }
  }

  /// The updates of owners whose collection has changed.
  fileprivate func updates(
    of owners: [Int64], _ collection: Int, since before: MemoryTable?
  ) -> [RowChange] {
    var columns = ColumnSet()
    columns.insert(schema.columns.count + collection)
    return owners.map { change(.updated, $0, columns, before?.rows[$0], rows[$0]) }
  }

  private func change(
    _ kind: RowChange.Kind, _ rowID: Int64, _ columns: ColumnSet, _ old: StoredRow?,
    _ new: StoredRow?
  ) -> RowChange {
    var change = RowChange(kind, rowID, columns: columns)
    if let primary = schema.primary {
      change.oldPrimary = old?.values[primary].digest
      change.newPrimary = new?.values[primary].digest
    }
    return change
  }
}

extension Member {
  fileprivate static func == (left: Member, right: Member) -> Bool {
    left.target == right.target && left.position == right.position
      && left.key.digest == right.key.digest
  }
}
