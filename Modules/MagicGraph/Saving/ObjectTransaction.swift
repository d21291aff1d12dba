package import MagicEngine
package import MagicSchema

/// The object layer of one write transaction: it captures changes of objects as changesets, runs
/// them in the engine, and records the previous state of the objects for a rollback.
///
/// Used by one thread at a time. Some properties are used for every column of a row, so they are
/// exempt from run-time exclusivity checks.
package final class ObjectTransaction: TransactionParticipant {
  package let engine: any EngineTransaction
  @exclusivity(unchecked) var log: UndoLog
  /// The changes that were captured and have not run yet.
  @exclusivity(unchecked) var changeset: Changeset
  /// The rows of the changeset whose outcome may differ from the assumption.
  @exclusivity(unchecked) var unconfirmed = UnconfirmedRows()
  /// The changes that the engine runs while others are captured; nil if there were none.
  @exclusivity(unchecked) var started: StartedChanges?
  /// Whether one of them is a new object, which may get another row ID.
  @exclusivity(unchecked) var hasUnconfirmedIDs = false
  /// Whether one of them is an update of an object that is inserted if its row is missing.
  @exclusivity(unchecked) var hasPossibleInserts = false
  /// How the current call saves the objects that it names.
  @exclusivity(unchecked) private(set) var rules = SavingRules()
  /// Whether the engine has corrected a row since the call began.
  @exclusivity(unchecked) var hasCorrections = false
  /// The properties that keep their stored values, by the instance key of the merged object.
  @exclusivity(unchecked) var merged: [UInt: Set<String>] = [:]
  /// The traversal of objects with relationships, while they are being saved.
  @exclusivity(unchecked) var graph: GraphSaver?
  /// Whether a captured row has a primary value set by the program, in a column that the database
  /// could auto-increment.
  @exclusivity(unchecked) var hasChosenPrimaries = false
  /// Whether each row is run before the next one is captured.
  @exclusivity(unchecked) var isOneByOne = false
  /// The properties with in-place changes in progress, which must not be saved now. Nil if there
  /// are none.
  @exclusivity(unchecked) var ownChanges: OwnChanges?
  /// Looks up the rows of several new objects together; nil if the engine is not faster then, or must not
  /// do it.
  @exclusivity(unchecked) var lookAhead: LookAhead?
  /// The number of rows that are captured before they are run.
  private let rowLimit: Int

  /// Creates the object layer of an engine's transaction, and registers it as the participant.
  package init(_ engine: any EngineTransaction) {
    self.engine = engine
    changeset = engine.changeset
    rowLimit = engine.rowLimit
    lookAhead = engine.lookUpLimit > 1 ? LookAhead() : nil
    log = UndoLog(store: engine.token)
    engine.participant = self
  }

  /// The store that the transaction writes to.
  package var store: StoreToken { log.store }

  /// The values of the captured rows.
  var values: FieldBuffer { changeset.values }

  /// Prepares for the next call.
  func begin(_ rules: SavingRules = SavingRules()) {
    self.rules = rules
    ownChanges = OwnChanges.current
    StaleReads.clear()
    hasCorrections = false
    lookAhead?.rows.removeAll()
    started?.removeAll()
    // Discards the changes that were captured by a call that threw.
    if values.count > 0 || !changeset.isEmpty { clear() }
  }

  /// Whether there are captured rows whose outcome may differ from the assumption, because they were not
  /// looked up, or changes that the engine still runs.
  var hasUnconfirmedRows: Bool { unconfirmed.hasUnexpected || started?.isRunning == true }

  /// The number of bytes of texts and blobs that are captured before they are run.
  private static var byteLimit: Int { 1 << 20 }

  /// Whether the captured changes must be run before more are captured.
  var isFull: Bool { changeset.count >= rowLimit || values.byteCount >= Self.byteLimit }

  /// Reserves the row ID of a new row.
  @inline(__always)
  func reserve(_ schema: ObjectSchema, isAhead: Bool = false) throws -> Int64 {
    var rowID = try engine.reserveRowID(of: schema, isAhead: isAhead)
    guard let graph else { return rowID }
    while graph.isChosen(rowID, of: schema) {
      rowID = try engine.reserveRowID(of: schema, isAhead: isAhead)
    }
    graph.noteReserved(rowID, of: schema)
    return rowID
  }

  /// The transaction was committed: the new state of the objects takes effect.
  package func didCommit() {
    log.commit()
  }

  /// The transaction was rolled back: the objects get their previous state.
  package func didRollBack() { log.rollBack() }

  /// Runs a part of the transaction whose objects are not used afterwards, so that memory does not grow
  /// with their number. If the body throws, the caller rolls back the transaction.
  package func discardingObjects<Result>(_ body: () throws -> Result) throws -> Result {
    let savepoint = log.savepoint
    let result = try body()
    log.forget(since: savepoint)
    return result
  }

  /// Runs a nested part of the transaction. If the body throws, the changes of this part are rolled
  /// back, and the objects get the state that they had before it.
  ///
  /// - Parameter isOneRow: whether the part changes one row with one statement, which is atomic
  ///   without a savepoint.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try engine.requireOpen()
    let savepoint = log.savepoint
    do {
      let result = try engine.nested(isOneRow: isOneRow, body)
      log.applyEarly()
      return result
    } catch {
      log.rollBack(to: savepoint)
      throw error
    }
  }
}
