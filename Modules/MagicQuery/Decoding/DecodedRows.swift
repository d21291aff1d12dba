import MagicEngine

/// The decoded rows of a selection, whose batches are appended.
///
/// The rows are moved to larger memory and into the array. Appending arrays of rows would copy each row
/// and release the first copy, with all their references.
struct DecodedRows<Row>: ~Copyable {
  private let reader: RowReader<Row>
  private var memory: UnsafeMutablePointer<Row>?
  private var count = 0
  private var capacity = 0

  init(_ reader: RowReader<Row>) { self.reader = reader }

  deinit {
    memory?.deinitialize(count: count)
    memory?.deallocate()
  }

  /// Decodes the rows of a batch.
  mutating func append(_ rows: SelectedRows) throws {
    let memory = reserve(count + rows.fields.count)
    for row in 0..<rows.fields.count {
      try reader.initialize(UnsafeMutableRawPointer(memory + count), rows, row, 0)
      count += 1
    }
  }

  private mutating func reserve(_ needed: Int) -> UnsafeMutablePointer<Row> {
    if let memory, capacity >= needed { return memory }
    capacity = max(needed, 2 * capacity)
    let larger = UnsafeMutablePointer<Row>.allocate(capacity: capacity)
    if let memory {
      larger.moveInitialize(from: memory, count: count)
      memory.deallocate()
    }
    memory = larger
    return larger
  }

  /// Moves the rows into an array that begins with other rows.
  mutating func move(after first: [Row]) -> [Row] {
    guard let memory, count > 0 else { return first }
    defer { count = 0 }
    return [Row](unsafeUninitializedCapacity: first.count + count) { rows, initializedCount in
      guard let start = rows.baseAddress else { return }
      first.withUnsafeBufferPointer { first in
        guard let other = first.baseAddress else { return }
        start.initialize(from: other, count: first.count)
      }
      (start + first.count).moveInitialize(from: memory, count: count)
      initializedCount = first.count + count
    }
  }
}
