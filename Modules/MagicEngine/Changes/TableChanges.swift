package import MagicRuntime
package import MagicSchema

/// The names of the columns of a type's table in a file, followed by the names of the type's
/// collections.
package final class TableNames: Sendable {
  /// The name of the table as written in the file.
  package let table: String
  package let columns: [String]
  package let collections: [String]
  /// Other names of the row ID in the engine, case-folded. They are not columns unless they are in
  /// ``columns``.
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

  package func hasSameColumns(_ other: TableNames) -> Bool {
    self === other || columns == other.columns && collections == other.collections
  }
}

/// The changes of the rows of a type, in one transaction or in several consecutive transactions.
package struct TableChanges: Sendable {
  package let names: TableNames
  /// The changed rows in row ID order. Each row appears once.
  package private(set) var rows: [RowChange]
  /// Whether the primary values of the rows were recorded.
  package private(set) var hasRecordedPrimaries: Bool
  /// The digests of the rows' keys, by row ID. Nil if the type has no key, or the keys were not
  /// recorded. Rows that are not in ``rows`` may have digests too.
  package private(set) var keys: [Int64: KeyDigests]?
  /// The changed columns of all updated rows.
  package private(set) var columns = ColumnSet()
  /// Whether rows were inserted or deleted.
  package private(set) var hasInsertedOrDeletedRows = false
  /// The index of the rows by primary value. All copies of the rows share it.
  private var primaryIndex: PrimaryIndex

  /// - Parameter rows: the changed rows in row ID order.
  package init(
    names: TableNames, rows: [RowChange], hasRecordedPrimaries: Bool,
    keys: [Int64: KeyDigests]? = nil
  ) {
    self.names = names
    self.rows = rows
    self.hasRecordedPrimaries = hasRecordedPrimaries
    self.keys = keys
    primaryIndex = PrimaryIndex()
    summarize()
  }

  private mutating func summarize() {
    columns = ColumnSet()
    hasInsertedOrDeletedRows = false
    for index in rows.indices {
      if rows[index].kind == .updated {
        columns.formUnion(rows[index].columns)
      } else {
        hasInsertedOrDeletedRows = true
      }
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// Returns the change of a row.
  ///
  /// - Complexity: O(log n) in the number of changed rows.
  package func row(_ zIndex: Int64) -> RowChange? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].zIndex < zIndex { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low].zIndex == zIndex ? rows[low] : nil
  }

  /// Returns changes with a subset of the rows, in row ID order.
  package func with(_ rows: [RowChange]) -> TableChanges {
    TableChanges(
      names: names, rows: rows, hasRecordedPrimaries: hasRecordedPrimaries, keys: keys)
  }

  /// Returns the rows that have or had a primary value.
  ///
  /// - Complexity: O(n) in the number of changed rows for the first call, and O(1) for later calls.
  package func rows(withPrimary digest: ValueDigest) -> [RowChange] {
    let places = primaryIndex.of(rows)[digest] ?? []
    return places.map { rows[$0] }
  }

  /// Returns the rows that have or had a key. All rows, if the keys were not recorded.
  ///
  /// - Parameter key: the digests of the values of the key.
  /// - Complexity: O(n) in the number of changed rows.
  package func rows(withKey key: [ValueDigest]) -> [RowChange] {
    guard let keys else { return rows }
    return rows.filter { keys[$0.zIndex]?.contain(key) == true }
  }

  /// Adds digests of keys from the same transaction.
  package mutating func add(keys others: [Int64: KeyDigests]) {
    guard var keys else { return }
    // The dictionary is not copied.
    self.keys = nil
    keys.merge(others) { first, second in
      var both = first
      both.add(second)
      return both
    }
    self.keys = keys
  }

  /// Sets the keys of updated rows that are not known yet. These keys were not changed.
  ///
  /// - Parameter find: returns the digests of the values of a row's key.
  package mutating func findKeys(_ find: (Int64) throws -> [ValueDigest?]) rethrows {
    guard let keys else { return }
    for row in rows where row.kind == .updated && keys[row.zIndex]?.isIncomplete ?? true {
      let key = try find(row.zIndex)
      add(keys: [row.zIndex: KeyDigests(old: key, new: key)])
    }
  }

  /// Adds changes of the same transaction, for example updates of other columns.
  ///
  /// - Parameter updates: the updated rows in row ID order.
  package mutating func update(_ updates: [RowChange]) {
    rows = merged(updates) { first, second in
      var both = first
      if both.kind == .updated { both.columns.formUnion(second.columns) }
      both.oldPrimary = first.oldPrimary ?? second.oldPrimary
      both.newPrimary = first.newPrimary ?? second.newPrimary
      return both
    }
    primaryIndex = PrimaryIndex()
    summarize()
  }

  /// Whether the primaries of some updated rows are not known yet.
  package var isMissingPrimaries: Bool {
    hasRecordedPrimaries && rows.contains { $0.kind == .updated && $0.newPrimary == nil }
  }

  /// Sets the primaries of updated rows that are not known yet. These primaries were not changed.
  package mutating func findPrimaries(_ find: (Int64) throws -> ValueDigest?) rethrows {
    for index in rows.indices
    where rows[index].kind == .updated && rows[index].newPrimary == nil {
      let primary = try find(rows[index].zIndex)
      (rows[index].oldPrimary, rows[index].newPrimary) = (primary, primary)
    }
    primaryIndex = PrimaryIndex()
  }

  /// Adds the changes of a later transaction.
  mutating func append(_ later: TableChanges) {
    let all = names.all
    rows = merged(later.rows) { $0.followed(by: $1, all: all) }
    hasRecordedPrimaries = hasRecordedPrimaries && later.hasRecordedPrimaries
    keys = later.keys.flatMap { later in
      keys?.merging(later) { KeyDigests(old: $0.old, new: $1.new) }
    }
    primaryIndex = PrimaryIndex()
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
