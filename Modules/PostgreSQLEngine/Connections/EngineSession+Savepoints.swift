import MagicPostgreSQL
import PostgreSQLTables

/// The savepoints of a transaction. The server refuses all statements after an error, up to the rollback
/// to a savepoint. So each part that may fail has one. Between the begin and the end of a savepoint that is
/// named in SQL, none of these begins or ends.
extension EngineSession {
  /// Begins a savepoint, which ``endSavepoint(_:)`` or ``restore(_:)`` ends. The server gets it with the next
  /// statement, and so the release of the last one that has ended.
  ///
  /// - Returns: its name. The names of a connection differ, so that a savepoint that was refused is not taken
  ///   for another.
  func beginSavepoint() throws -> String {
    savepointCount += 1
    let name = "magic_\(savepointCount)"
    try translatingErrors { try connection.beginSavepoint(name, releasing: unreleasedSavepoint) }
    unreleasedSavepoint = nil
    return name
  }

  /// Keeps what was written since the begin of a savepoint. It is released with the next message about a
  /// savepoint, or by the commit.
  func endSavepoint(_ name: String) { unreleasedSavepoint = name }

  /// Discards what was written since the begin of a savepoint.
  func restore(_ name: String) throws {
    unreleasedSavepoint = nil
    try translatingErrors { try connection.restore(name) }
  }

  /// Runs a part of a transaction that only reads, with a setting that ends with it.
  ///
  /// - Parameter setting: a `SET LOCAL`, which is sent with the first statement of the part.
  func withSetting<Result>(
    _ setting: PostgreSQLStatement, _ body: () throws -> Result
  ) throws -> Result {
    let savepoint = try beginSavepoint()
    defer { try? restore(savepoint) }
    try translatingErrors { try connection.runLater(setting) }
    return try body()
  }

  /// Runs a part of a transaction in a savepoint, if it may fail.
  func inSavepoint<Result>(_ isNeeded: Bool, _ body: () throws -> Result) throws -> Result {
    guard isNeeded else { return try body() }
    let name = try beginSavepoint()
    do {
      let result = try body()
      endSavepoint(name)
      return result
    } catch {
      try? restore(name)
      throw error
    }
  }
}
