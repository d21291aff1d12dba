import MagicEngine
import MagicSchema

/// A raw statement with the reader or transaction that runs it.
struct StatementSession {
  let statement: RawStatement
  /// The type of the objects that are read; nil for values.
  let model: ObjectSchema?
  let engine: Engine

  enum Engine {
    /// Runs statements that read; a statement that writes throws.
    case reader(any EngineReader)
    /// Runs statements that read or write.
    case transaction(any EngineTransaction)
  }

  /// The reader for everything other than the statement itself.
  var reader: any EngineReader {
    switch engine {
    case .reader(let reader): reader
    case .transaction(let transaction): transaction.reader
    }
  }

  /// Runs the statement and calls a closure with batches of its rows. There is at least one batch,
  /// which may be empty.
  ///
  /// - Parameter limit: the maximum number of rows.
  func forEachBatch(limit: Int = .max, _ use: (StatementRows) throws -> Void) throws {
    switch engine {
    case .reader(let reader): try reader.read(statement, model, limit: limit, use)
    case .transaction(let transaction):
      _ = try transaction.run(statement, model, limit: limit, use)
    }
  }
}
