/// An index of a table over some columns.
struct ValueIndex: Sendable {
  let columns: [Int]
  let isUnique: Bool
  /// The row IDs of each key, ascending.
  private var rows = SortedMap<Key, [Int64]>()

  /// The values of the columns, without NULL.
  private struct Key: Comparable, Sendable {
    let values: [StoredValue]

    static func < (left: Key, right: Key) -> Bool {
      StoredValue.order(left.values, right.values) < 0
    }
  }

  init(_ columns: [Int], isUnique: Bool) {
    self.columns = columns
    self.isUnique = isUnique
  }

  /// The row IDs with the given values.
  subscript(values: [StoredValue]) -> [Int64] { rows[Key(values: values)] ?? [] }

  mutating func insert(_ row: StoredRow) {
    guard let key = key(of: row.values) else { return }
    rows[key, default: []].insert(row.rowID)
  }

  mutating func remove(_ row: StoredRow) {
    guard let key = key(of: row.values) else { return }
    rows[key, default: []].removeAll { $0 == row.rowID }
    if rows[key]?.isEmpty == true { rows[key] = nil }
  }

  /// Whether the index is unique and another row has the given values. NULLs are not compared.
  func isTaken(_ values: [StoredValue], for rowID: Int64) -> Bool {
    guard isUnique, let key = key(of: values) else { return false }
    return rows[key]?.contains { $0 != rowID } ?? false
  }

  /// The key of a row, or nil if one of its values is NULL.
  private func key(of values: [StoredValue]) -> Key? {
    let key = columns.map { values[$0] }
    return key.contains(where: \.isNull) ? nil : Key(values: key)
  }
}

extension [Int64] {
  /// Inserts into an ascending list, unless the list contains the row ID.
  mutating func insert(_ rowID: Int64) {
    guard let last, last >= rowID else { return append(rowID) }
    let place = firstPlace { $0 >= rowID }
    if self[place] != rowID { insert(rowID, at: place) }
  }
}
