package import MagicEngine
package import MagicSQLite
package import MagicSchema

/// Records everything that is read on a connection while a body runs.
///
/// Two kinds of reads are not recorded: the library's own reads of the schema, for example whether
/// a type has a table, and the reads of an SQLite module for a statement that uses it.
package final class ReadRecorder: StatementObserver {
  /// The SQL of the statements that were run.
  package private(set) var statements: Set<String> = []
  /// The types that were looked up without a table, or without one of their join tables.
  package private(set) var incompleteTypes: [ObjectSchema] = []
  private let digest = ResultDigest()
  fileprivate var isPaused = false

  package init() {}

  /// The digest of the rows that were read and of the statements that read them.
  package var result: ResultDigest.Value { digest.value }

  package func willRun(_ sql: String) {
    guard !isPaused else { return }
    statements.insert(sql)
    digest.add(statement: sql)
  }

  package func didStep(to row: borrowing SQLiteRow) {
    if !isPaused { digest.add(row) }
  }

  fileprivate func record(_ schema: ObjectSchema, _ state: TableState) {
    if case .current(let statements) = state, statements.links.allSatisfy(\.exists) { return }
    guard !incompleteTypes.contains(where: { $0 === schema }) else { return }
    incompleteTypes.append(schema)
  }
}

extension StoreConnection {
  /// Records the reads of a body.
  package func recordingReads<Result>(
    with recorder: ReadRecorder, _ body: () throws -> Result
  ) rethrows -> Result {
    self.recorder = recorder
    defer { self.recorder = nil }
    return try connection.reportingStatements(to: recorder, body)
  }

  /// Runs reads of the schema, which are not recorded.
  package func withoutRecording<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let recorder, !recorder.isPaused else { return try body() }
    recorder.isPaused = true
    defer { recorder.isPaused = false }
    return try body()
  }

  /// Looks up the table of a type, and records the type if a table is missing.
  func recordedTable(
    of schema: ObjectSchema, _ find: () throws -> TableState
  ) throws -> TableState {
    let state = try withoutRecording(find)
    recorder?.record(schema, state)
    return state
  }
}
