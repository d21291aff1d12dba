/// The rows of a table in the order of their row IDs.
///
/// They lie in parts, so that to change a row of a table that a snapshot shares copies one part.
struct OrderedRows: Sendable {
  /// None is empty.
  private var parts: [[StoredRow]] = []
  private(set) var count = 0

  private static let partSize = 256

  /// All rows.
  var all: FlattenSequence<[[StoredRow]]> { parts.joined() }

  /// The rows behind a row ID.
  func behind(_ rowID: Int64) -> some Sequence<StoredRow> {
    parts[part(of: rowID)...].joined().drop { $0.rowID <= rowID }
  }

  subscript(rowID: Int64) -> StoredRow? {
    guard let (part, place) = find(rowID) else { return nil }
    return parts[part][place]
  }

  /// Inserts a row, which takes the place of one with its row ID.
  mutating func insert(_ row: StoredRow) {
    if let (part, place) = find(row.rowID) {
      parts[part][place] = row
      return
    }
    count += 1
    guard let last = parts.last?.last, last.rowID > row.rowID else { return append(row) }
    let part = part(of: row.rowID)
    parts[part].insert(row, at: place(of: row.rowID, in: part))
    guard parts[part].count > Self.partSize else { return }
    let second = Array(parts[part][(Self.partSize / 2)...])
    parts[part].removeSubrange((Self.partSize / 2)...)
    parts.insert(second, at: part + 1)
  }

  private mutating func append(_ row: StoredRow) {
    if let last = parts.last, last.count < Self.partSize {
      parts[parts.count - 1].append(row)
    } else {
      parts.append([row])
    }
  }

  /// Changes the values of a row that is there.
  mutating func update(_ rowID: Int64, _ change: (inout [StoredValue]) -> Void) {
    guard let (part, place) = find(rowID) else { return }
    change(&parts[part][place].values)
  }

  mutating func remove(_ rowID: Int64) {
    guard let (part, place) = find(rowID) else { return }
    count -= 1
    parts[part].remove(at: place)
    if parts[part].isEmpty { parts.remove(at: part) }
  }

  private func find(_ rowID: Int64) -> (part: Int, place: Int)? {
    let part = part(of: rowID)
    guard part < parts.count else { return nil }
    let place = place(of: rowID, in: part)
    guard place < parts[part].count, parts[part][place].rowID == rowID else { return nil }
    return (part, place)
  }

  /// The part that a row is in, or would be; behind all parts for a row behind all rows.
  private func part(of rowID: Int64) -> Int {
    parts.firstPlace { ($0.last?.rowID ?? .max) >= rowID }
  }

  private func place(of rowID: Int64, in part: Int) -> Int {
    parts[part].firstPlace { $0.rowID >= rowID }
  }
}

extension Array {
  /// The first place at which a condition holds that holds behind it too; the end where there is none.
  func firstPlace(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
