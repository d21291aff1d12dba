package import MagicEngine
package import MagicSchema

/// What one write transaction does to objects: it captures their changes as changesets, has the engine
/// run these, and remembers what the objects were, for a rollback.
///
/// Used by one thread at a time, and some properties for every column of a row. So they need no check
/// of exclusive access at run time.
package final class ObjectTransaction: TransactionParticipant {
  package let engine: any EngineTransaction
  @exclusivity(unchecked) var log: UndoLog
  /// What was captured and not run yet.
  let changeset: Changeset
  /// The rows of the changeset that may turn out otherwise than was assumed.
  @exclusivity(unchecked) var unconfirmed = UnconfirmedRows()
  /// Whether one of them is a new object, whose row may be another one.
  @exclusivity(unchecked) var hasUnconfirmedIDs = false
  /// Whether a row turned out otherwise since the verb began.
  @exclusivity(unchecked) var hasCorrections = false
  /// What walks through objects with relationships, while they are saved.
  @exclusivity(unchecked) var graph: GraphSaver?
  /// Whether a captured row has a number as primary that the database could assign.
  @exclusivity(unchecked) var hasChosenNumbers = false
  /// Whether each row is run before the next is captured.
  @exclusivity(unchecked) var isOneByOne = false
  /// What must not be saved now; nil where that is nothing.
  @exclusivity(unchecked) var ownChanges: OwnChanges?

  /// What the engine's transaction does to objects: it takes part in its outcome.
  package init(_ engine: any EngineTransaction) {
    self.engine = engine
    changeset = engine.changeset
    log = UndoLog(store: engine.token)
    engine.participant = self
  }

  /// The store that the transaction writes to.
  package var store: StoreToken { log.store }

  /// The values of what was captured.
  var values: FieldBuffer { changeset.values }

  /// Prepares for the next verb.
  func begin() {
    ownChanges = OwnChanges.current
    StaleReads.clear()
    hasCorrections = false
    // A verb that threw leaves what it had captured.
    if values.count > 0 || !changeset.isEmpty { clear() }
  }

  /// Whether rows that were captured may turn out otherwise than was assumed.
  var hasUnconfirmedRows: Bool { !unconfirmed.isEmpty }

  /// How many rows are captured before they are run. Their values should fit into a core's cache.
  private static var rowLimit: Int { 64 }

  /// How many bytes of texts and blobs are captured before they are run.
  private static var byteLimit: Int { 1 << 20 }

  /// Whether what was captured is to be run before more is.
  var isFull: Bool { changeset.count >= Self.rowLimit || values.byteCount >= Self.byteLimit }

  /// Runs what was captured.
  func flush() throws {
    guard !changeset.isEmpty else { return }
    try engine.apply(changeset)
    guard !changeset.outcomes.isEmpty else { return clear() }
    hasCorrections = true
    var missing: [UnconfirmedRow] = []
    for outcome in changeset.outcomes {
      guard let row = unconfirmed.take(outcome.row) else { continue }
      switch outcome {
      case .otherRow(_, let rowID):
        if let entry = row.logEntry { log.reassign(ZIndex(rawValue: rowID), at: entry) }
      case .missing where row.isRoot: missing.append(row)
      case .missing: noteRemoved(row.object, row.holder)
      }
    }
    clear()
    for row in missing { try insertAgain(row) }
  }

  private func clear() {
    changeset.removeAll()
    hasChosenNumbers = false
    hasUnconfirmedIDs = false
    if !unconfirmed.isEmpty { unconfirmed.removeAll() }
  }

  /// Inserts an object whose row is missing: one with a primary is saved under it again.
  private func insertAgain(_ row: UnconfirmedRow) throws {
    let object = row.object
    guard object.schema.primary != nil else {
      throw rowGone(object.identity(inTransactionOf: store)?.zIndex, object.schema)
    }
    try captureNew(object, holder: row.holder, isRoot: true)
    try flush()
  }

  func rowGone(_ zIndex: ZIndex?, _ schema: ObjectSchema) -> MagicError {
    let row = zIndex.map { " \($0)" } ?? ""
    return MagicError(
      .notFound, "Row\(row) is not in the database any more.", type: schema.typeName)
  }

  /// A member whose row is gone is no object of the database any more.
  func noteRemoved(_ object: ObjectReference, _ holder: RetainedObjects?) {
    graph?.noteGone(object, holder)
    log.remove(object.record)
  }

  /// Reserves the row ID of a new row.
  @inline(__always)
  func reserve(_ schema: ObjectSchema, isAhead: Bool = false) throws -> Int64 {
    let rowID = try engine.reserveRowID(of: schema, isAhead: isAhead)
    if let graph { graph.noteReserved(rowID, of: schema) }
    return rowID
  }

  /// The transaction was committed: objects are what was stored.
  package func didCommit() {
    log.commit()
  }

  /// The transaction was rolled back: objects are what they were.
  package func didRollBack() { log.rollBack() }

  /// Runs a part of the transaction of which nothing stays where it throws: objects are then what they
  /// were before it.
  ///
  /// - Parameter isOneRow: whether it changes one row by one statement, which is all or nothing by
  ///   itself.
  package func nested<Result>(isOneRow: Bool, _ body: () throws -> Result) throws -> Result {
    try engine.requireOpen()
    let mark = log.mark
    do {
      let result = try engine.nested(isOneRow: isOneRow, body)
      log.settle()
      return result
    } catch {
      log.rollBack(to: mark)
      throw error
    }
  }
}
