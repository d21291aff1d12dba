import MagicEngine
import MagicSchema

/// A raw statement, and what it runs on.
struct StatementSession {
  let statement: RawStatement
  /// The type that objects are read of; nil for values.
  let model: ObjectSchema?
  let engine: Engine

  enum Engine {
    /// Reads, and refuses a statement that writes.
    case reader(any EngineReader)
    /// Runs the statement, and may write.
    case transaction(any EngineTransaction)
  }

  /// What reads beside the statement.
  var reader: any EngineReader {
    switch engine {
    case .reader(let reader): reader
    case .transaction(let transaction): transaction.reader
    }
  }

  /// Runs the statement, and hands out its rows in batches: one at least, which may be empty.
  ///
  /// - Parameter limit: the most rows that are handed out.
  func forEachBatch(limit: Int = .max, _ use: (StatementRows) throws -> Void) throws {
    switch engine {
    case .reader(let reader): try reader.read(statement, model, limit: limit, use)
    case .transaction(let transaction):
      _ = try transaction.run(statement, model, limit: limit, use)
    }
  }
}
