package import MagicEngine

/// A read as a value: made once, and then run on any reader, blocking, from a task, or live.
///
/// Each terminal of a query makes its request, and has a blocking and an asynchronous form that run
/// it: `run(_:)`. `MagicValues` runs a request again whenever its result may have changed.
package protocol ReadRequest<Result>: Sendable {
  associatedtype Result

  /// Reads the result.
  func read(on reader: any EngineReader) throws -> Result

  /// What the read looks at, in the file as it is; nil where that is recorded while it runs.
  /// Default: nil.
  func region(on reader: any EngineReader) throws -> ReadRegion?

  /// The z-indexes of the result, where its rows are those of the region's root; nil where they are
  /// too many, or of something else. Default: nil.
  func rows(of result: Result) -> Set<Int64>?
}

extension ReadRequest {
  package func region(on reader: any EngineReader) throws -> ReadRegion? { nil }
  package func rows(of result: Result) -> Set<Int64>? { nil }
}

/// A request for a result, whatever request it is.
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
