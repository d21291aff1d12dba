import CMagicSQLite
import Foundation
import Workloads

/// Saves with an observer: SQLite's update hook collects the changed rows, and another thread receives them after
/// each commit.
extension CTwin {
  func saveOneByOne(_ people: [PlainPerson], _ run: Run, observedBy observer: Observer) throws {
    switch observer {
    case .none: try saveOneByOne(people, run)
    case .changes:
      try saveOneByOne(people, run) { changes, sum in sum.add(changes.count { $0.isInsertion }) }
    case .lastPeople:
      let reader = try readers.first(1, beside: self)[0]
      let statement = try reader.prepare(Self.lastPeople)
      defer { sqlite3_finalize(statement) }
      nonisolated(unsafe) let query = statement
      try saveOneByOne(people, run) { _, sum in try reader.add(query, to: &sum) }
    }
  }

  private static let lastPeople = """
    SELECT z_index, id, name, age, height, nickname, photo FROM person ORDER BY id DESC LIMIT 20
    """

  private func add(_ query: OpaquePointer, to sum: inout Checksum) throws {
    var people: [FetchedPerson] = []
    people.reserveCapacity(20)
    while try step(query) { people.append(person(query)) }
    sqlite3_reset(query)
    sum.add(people)
  }

  /// - Parameter body: adds what it reads to a sum.
  private func saveOneByOne(
    _ people: [PlainPerson], _ run: Run,
    observedBy body: @escaping ObserverThread.Body
  ) throws {
    let rows = CommittedRows()
    let thread = ObserverThread(rows, body)
    sqlite3_update_hook(
      database,
      { rows, operation, _, _, row in
        guard let rows else { return }
        Unmanaged<CommittedRows>.fromOpaque(rows).takeUnretainedValue()
          .note(.init(row: row, isInsertion: operation == SQLITE_INSERT))
      }, Unmanaged.passUnretained(rows).toOpaque())
    defer { sqlite3_update_hook(database, nil, nil) }
    let saved = Result { try saveOneByOne(people, run, afterCommit: rows.publish) }
    let ended = Result { try thread.end() }
    try saved.get()
    try ended.get()
  }
}

/// The changed rows of a writer, which another thread takes.
final class CommittedRows: @unchecked Sendable {
  struct Change {
    let row: Int64
    let isInsertion: Bool
  }

  private let condition = NSCondition()
  /// The rows of the open transaction. The writer alone uses them.
  private var changed: [Change] = []
  private var committed: [Change] = []
  private var isEnded = false

  func note(_ change: Change) { changed.append(change) }

  /// Gives the rows of a committed transaction to the other thread, and wakes it.
  func publish() {
    condition.withLock {
      committed += changed
      condition.signal()
    }
    changed.removeAll(keepingCapacity: true)
  }

  func end() {
    condition.withLock {
      isEnded = true
      condition.signal()
    }
  }

  /// Waits for committed rows. Returns nil at the end.
  func take() -> [Change]? {
    condition.withLock {
      while committed.isEmpty, !isEnded { condition.wait() }
      guard !committed.isEmpty else { return nil }
      defer { committed = [] }
      return committed
    }
  }
}

/// A thread that takes the rows of a writer.
struct ObserverThread {
  typealias Body = @Sendable ([CommittedRows.Change], inout Checksum) throws -> Void

  /// The error if the thread took no rows.
  struct NoRows: Error {}

  private let rows: CommittedRows
  private let outcome = CTwin.Outcome()
  private let group = DispatchGroup()

  init(_ rows: CommittedRows, _ body: @escaping Body) {
    self.rows = rows
    DispatchQueue.global().async(group: group) { [outcome] in
      outcome.add {
        var sum = Checksum()
        while let changes = rows.take() { try body(changes, &sum) }
        return sum
      }
    }
  }

  /// Ends the thread.
  ///
  /// - Throws: the error of the thread, or ``NoRows``.
  func end() throws {
    rows.end()
    group.wait()
    guard try outcome.sum != Checksum() else { throw NoRows() }
  }
}
