import MagicEngine
import MagicPostgreSQL

/// A read that may share a message to the server with others.
final class SharedRead: SharedCall<any EngineReader>, @unchecked Sendable {
  /// The statement that was sent for the read.
  @exclusivity(unchecked) var statement: PostgreSQLStatement?
}

typealias SharedReads = SharedCalls<any EngineReader, SharedRead>
