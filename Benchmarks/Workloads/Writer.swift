/// Saves one person after the other, again and again, while others read.
public struct Writer: Sendable {
  private let task: Task<Void, any Error>

  /// Begins.
  ///
  /// - Parameter save: a transaction of its own: the row that has the primary value is updated, and
  ///   inserted where there is none.
  public init(
    _ people: [PlainPerson], save: @escaping @Sendable (PlainPerson) async throws -> Void
  ) {
    task = Task {
      while !Task.isCancelled {
        for person in people {
          try Task.checkCancellation()
          try await save(person)
        }
      }
    }
  }

  /// Reads, and has the writer end then.
  ///
  /// - Throws: what the reading throws, and why the writer ended before: who reads alone is faster.
  public func beside<Read: Sendable>(
    _ reading: @Sendable () async throws -> Read
  ) async throws -> Read {
    defer { task.cancel() }
    let read = try await reading()
    task.cancel()
    do { try await task.value } catch is CancellationError {}
    return read
  }
}
