package import MagicEngine

/// A read as a value. It can run several times, on any reader: in a blocking call, in a task, or as
/// a live result.
///
/// Each terminal of a query creates a request. A blocking and an asynchronous `run(_:)` execute it.
/// `MagicValues` runs a request again whenever its result may have changed.
package protocol ReadRequest<Result>: Sendable {
  associatedtype Result

  /// Reads the result.
  func read(on reader: any EngineReader) throws -> Result

  /// Returns the tables, columns and rows that the read depends on, in the current schema of the
  /// file. Nil means that they must be recorded while the read runs. Default: nil.
  func region(on reader: any EngineReader) throws -> ReadRegion?

  /// Returns the row IDs of the result, if its rows are rows of the region's root table. Nil means
  /// that there are too many, or that the rows are of another table. Default: nil.
  func rows(of result: Result) -> Set<Int64>?
}

extension ReadRequest {
  package func region(on reader: any EngineReader) throws -> ReadRegion? { nil }
  package func rows(of result: Result) -> Set<Int64>? { nil }
}

/// A type-erased read request.
package struct AnyReadRequest<Result>: ReadRequest {
  private let read: @Sendable (any EngineReader) throws -> Result
  private let region: @Sendable (any EngineReader) throws -> ReadRegion?
  private let rows: @Sendable (Result) -> Set<Int64>?

  package init(_ request: some ReadRequest<Result>) {
    read = { try request.read(on: $0) }
    region = { try request.region(on: $0) }
    rows = { request.rows(of: $0) }
  }

  package func read(on reader: any EngineReader) throws -> Result { try read(reader) }
  package func region(on reader: any EngineReader) throws -> ReadRegion? {
    try region(reader)
  }
  package func rows(of result: Result) -> Set<Int64>? { rows(result) }
}

extension MagicDatabaseReader where Self: ~Copyable {
  /// Runs a request. Blocks the thread.
  package func run<Request: ReadRequest>(_ request: Request) throws -> Request.Result {
    try _read { try request.read(on: $0.reader) }
  }
}

extension AsyncMagicDatabaseReader {
  /// Runs a request.
  package func run<Request: ReadRequest>(
    _ request: Request
  ) async throws -> Request.Result where Request.Result: Sendable {
    try await _read { try request.read(on: $0.reader) }
  }
}
