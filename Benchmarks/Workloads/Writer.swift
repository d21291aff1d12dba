/// Saves one person after the other, repeatedly, while other tasks read.
public struct Writer: Sendable {
  private let task: Task<Void, any Error>

  /// Starts the writer.
  ///
  /// - Parameter save: Saves a person in a separate transaction: the row with the primary is
  ///   updated, or inserted if there is none.
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

  /// Reads, and ends the writer then.
  ///
  /// - Throws: The error of the read, or the error of a writer that has ended before: reads without
  ///   a writer are faster and not comparable.
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
