package import MagicData
package import MagicInspection

/// Readers of one database on a server of PostgreSQL, which is open.
package struct ServerPool: DatabasePool {
  private let magic: MagicData
  /// Lets one call read at a time; nil for as many as the database has readers.
  private let turn: Turn?
  private let types = KnownTypes()

  /// - Parameter isSerial: whether only one call reads at a time.
  package init(_ magic: MagicData, isSerial: Bool = false) {
    self.magic = magic
    turn = isSerial ? Turn() : nil
  }

  /// Each statement is a few messages to a server, which may be far away.
  package var pageTime: Duration { .seconds(5) }

  /// Runs a body on one snapshot of the database.
  ///
  /// - Throws: what the body throws, and `MagicError`.
  package func read<Result: Sendable>(
    _ body: @Sendable (ServerReader) throws -> Result
  ) async throws -> Result {
    try await magic.read { snapshot in
      try reading(
        { sql, values in try snapshot.sql(sql).binding(values).rows() },
        { sql, values in try snapshot.sql(sql).binding(values).explain() }, body)
    }
  }

  private func reading<Result>(
    _ rows: (MagicSQL, [String: InspectedValue]) throws -> [MagicSQLRow],
    _ plan: (MagicSQL, [String: InspectedValue]) throws -> MagicPlan,
    _ body: (ServerReader) throws -> Result
  ) throws -> Result {
    try withoutActuallyEscaping(rows) { rows in
      try withoutActuallyEscaping(plan) { plan in
        try body(ServerReader(.init(rows: rows, plan: plan), types))
      }
    }
  }

  package func read<Result: Sendable>(
    within duration: Duration, _ body: @escaping @Sendable (any DatabaseReading) throws -> Result
  ) async throws -> Result {
    await turn?.begin()
    defer { if let turn { Task { await turn.end() } } }
    // A cancelled task interrupts its statement on the server.
    return try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { try await read { try body($0) } }
      group.addTask {
        try await Task.sleep(for: duration)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let result = first else {
        throw InspectionError(.limit, "The time limit is exceeded.")
      }
      return result
    }
  }

  package func makeCommitCounter() -> any CommitCounter { ServerCommitCounter(pool: self) }

  /// Does nothing: the caller that has opened the database closes it.
  package func close() async {}
}

/// The number of commits of a server.
private struct ServerCommitCounter: CommitCounter {
  let pool: ServerPool

  let interval = Duration.milliseconds(300)

  func next() async throws -> Int64 {
    try await pool.read(within: .seconds(2)) { try $0.commitCounter() }
  }

  func close() async {}
}

/// Lets one task run at a time, in the order of their calls.
private actor Turn {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func begin() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func end() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
