package import MagicRuntime

/// The rows that triggers have recorded since ``removeAll()``, each with the digests of its values from
/// before its first change.
///
/// A trigger records a row before each change of it, and only the first call for a row has an effect.
/// So the recorded values are those from before all changes, also after a savepoint was rolled back:
/// rows whose changes were rolled back stay recorded, and have their recorded values again.
package final class TouchedRows {
  /// A recorded row.
  package struct Row {
    /// The number of the table.
    package let table: Int
    package let key: TouchedKey
    /// Where the digests of the values begin; nil if the row did not exist.
    fileprivate let digests: Int?

    /// Whether the row existed.
    package var existed: Bool { digests != nil }
  }

  private struct Identity: Hashable {
    let table: Int
    let key: TouchedKey
  }

  @exclusivity(unchecked) private var rows: [Row] = []
  @exclusivity(unchecked) private var digests: [UInt8] = []
  /// The identities of the rows. Empty for few rows, which are searched in turn.
  @exclusivity(unchecked) private var identities: Set<Identity> = []

  /// The number of rows up to which there are no identities.
  private static let fewRows = 8
  /// The number of rows for which the memory is kept for the next ones.
  private static let keptRows = 1_000

  /// The numbers of the tables of the rows.
  @exclusivity(unchecked) package private(set) var tables: [Int] = []

  package init() {}

  package var isEmpty: Bool { rows.isEmpty }

  /// Removes all rows.
  package func removeAll() {
    let isKept = rows.count <= Self.keptRows
    rows.removeAll(keepingCapacity: isKept)
    digests.removeAll(keepingCapacity: isKept)
    identities = []
    tables.removeAll(keepingCapacity: true)
  }

  /// Returns the rows of a table, in the order of the first values of their keys.
  ///
  /// - Complexity: O(n log n) in the number of rows.
  package func rows(of table: Int) -> [Row] {
    guard rows.count > 1 else { return rows.first?.table == table ? rows : [] }
    return rows.filter { $0.table == table }.sorted { $0.key.number < $1.key.number }
  }

  /// Returns the digest of a value of a row from before its first change; nil if the row did not
  /// exist.
  ///
  /// - Parameter index: the place among the recorded values.
  package func digest(of row: Row, at index: Int) -> ValueDigest? {
    guard let start = row.digests else { return nil }
    return digests.withUnsafeBytes {
      ValueDigest(.init(rebasing: $0[start...]), at: index)
    }
  }

  /// Calls a body with the place of each value of a row that has changed.
  ///
  /// - Parameters:
  ///   - current: a statement with a row of the current values.
  ///   - count: the number of values.
  package func forEachChange(
    of row: Row, in current: SQLiteStatement, _ count: Int, _ body: (Int) -> Void
  ) {
    for index in 0..<count where digest(of: row, at: index) != ValueDigest(current.column(index)) {
      body(index)
    }
  }

  /// Records a row, unless it is recorded.
  ///
  /// - Parameter values: the values of the row; nil if it does not exist.
  func record(
    table: Int, _ key: TouchedKey, _ values: UnsafeBufferPointer<OpaquePointer?>?
  ) {
    if rows.count < Self.fewRows {
      guard !rows.contains(where: { $0.table == table && $0.key == key }) else { return }
    } else {
      if identities.isEmpty {
        identities = Set(rows.lazy.map { Identity(table: $0.table, key: $0.key) })
      }
      guard identities.insert(Identity(table: table, key: key)).inserted else { return }
    }
    if tables.last != table, !tables.contains(table) { tables.append(table) }
    rows.append(Row(table: table, key: key, digests: values.map { _ in digests.count }))
    for value in values ?? .init(start: nil, count: 0) {
      digests.append(ValueDigest(value: value))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ digest: ValueDigest) {
    withUnsafeTemporaryAllocation(byteCount: ValueDigest.size, alignment: 1) { bytes in
      guard let base = bytes.baseAddress else { return }
      digest.write(to: base)
      append(contentsOf: bytes)
    }
  }
}
