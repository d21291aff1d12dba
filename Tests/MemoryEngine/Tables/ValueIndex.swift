import HashTreeCollections

/// Finds the rows of a table that have values in some columns.
struct ValueIndex: Sendable {
  let columns: [Int]
  let isUnique: Bool
  /// The row IDs, ascending.
  private var rows = TreeDictionary<[StoredValue], [Int64]>()

  init(_ columns: [Int], isUnique: Bool) {
    self.columns = columns
    self.isUnique = isUnique
  }

  /// The rows that have the values.
  subscript(key: [StoredValue]) -> [Int64] { rows[key] ?? [] }

  mutating func insert(_ row: StoredRow) {
    guard let key = key(of: row.values) else { return }
    rows[key, default: []].insert(row.rowID)
  }

  mutating func remove(_ row: StoredRow) {
    guard let key = key(of: row.values), var rest = rows[key] else { return }
    rows[key] = nil
    rest.removeAll { $0 == row.rowID }
    if !rest.isEmpty { rows[key] = rest }
  }

  /// A row that has values which another row is about to get, where that is refused; NULLs do not
  /// count.
  func conflict(of values: [StoredValue], inRow rowID: Int64) -> Int64? {
    guard isUnique, let key = key(of: values) else { return nil }
    return rows[key]?.first { $0 != rowID }
  }

  /// Nil where a value is NULL.
  private func key(of values: [StoredValue]) -> [StoredValue]? {
    let key = columns.map { values[$0] }
    return key.contains(where: \.isNull) ? nil : key
  }
}

extension [Int64] {
  /// Inserts into an ascending list; what is there stays.
  mutating func insert(_ rowID: Int64) {
    guard let last, last >= rowID else { return append(rowID) }
    let place = firstPlace { $0 >= rowID }
    if self[place] != rowID { insert(rowID, at: place) }
  }
}
