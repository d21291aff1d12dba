package import MagicEngine
package import MagicSchema

/// What one write transaction does to objects: it captures their changes as changesets, has the engine
/// run these, and remembers what the objects were, for a rollback.
///
/// Used by one thread at a time, and some properties for every column of a row. So they need no check
/// of exclusive access at run time.
package final class ObjectTransaction {
  package let engine: any EngineTransaction
  package let store: StoreToken
  @exclusivity(unchecked) var log: UndoLog
  /// What was captured and not run yet.
  let changeset: Changeset
  /// The values of ``changeset``.
  let values: FieldBuffer
  @exclusivity(unchecked) var questions = OpenQuestions()
  /// The row IDs of the objects that the caller saves, in order.
  @exclusivity(unchecked) var results: [ZIndex] = []
  /// Objects whose row is gone, by their instance.
  @exclusivity(unchecked) var gone: Set<UInt> = []
  /// Keeps the objects that are known by their instances, so that none gets another's place.
  @exclusivity(unchecked) var holders: [RetainedObjects] = []
  /// Whether ``firstReserved`` is kept, for a save of objects with relationships.
  @exclusivity(unchecked) var keepsReserved = false
  /// The first row ID that was reserved, by type. Rows from there on are this transaction's.
  @exclusivity(unchecked) var firstReserved: [Int64] = []
  /// Whether a captured row has a number as primary that the database could assign.
  @exclusivity(unchecked) var hasChosenNumbers = false
  /// What must not be saved now; nil where that is nothing.
  @exclusivity(unchecked) var ownChanges: OwnChanges?

  /// - Parameter changeset: an empty one, whose memory is used.
  package init(_ engine: any EngineTransaction, changeset: Changeset) {
    self.engine = engine
    self.changeset = changeset
    values = changeset.values
    let store = engine.token
    self.store = store
    log = UndoLog(store: store)
  }

  /// Prepares for the next verb.
  func begin() {
    ownChanges = OwnChanges.current
    EarlierValues.forget()
    // An error may have left something.
    if values.count > 0 || !changeset.isEmpty { clear() }
    if !gone.isEmpty { gone.removeAll() }
    if !holders.isEmpty { holders.removeAll() }
  }

  /// Whether the engine may say something of the rows that were captured.
  var hasQuestions: Bool { !questions.isEmpty }

  /// How many rows are captured before they are run. Their values should fit into a core's cache.
  static var rowLimit: Int { 64 }

  /// Runs what was captured.
  func flush() throws {
    guard !changeset.isEmpty else { return }
    try engine.apply(changeset)
    let answers = changeset.answers
    guard !answers.isEmpty else { return clear() }
    var open = questions
    clear()
    for answer in answers {
      if let question = open.question(ofRow: answer.row) { try take(answer, question) }
    }
  }

  private func clear() {
    changeset.removeAll()
    hasChosenNumbers = false
    if !questions.isEmpty { questions.removeAll() }
  }

  private func take(_ answer: RowAnswer, _ question: OpenQuestion) throws {
    switch answer {
    case .wasThere(_, let rowID):
      guard let logged = question.logged else { return }
      let zIndex = ZIndex(rawValue: rowID)
      log.reassign(zIndex, at: logged)
      if let result = question.result { results[result] = zIndex }
    case .missing:
      let object = question.object
      guard question.isRoot else { return noteRemoved(object, question.holder) }
      // One with a primary is saved under it again.
      guard object.schema.primary != nil else {
        throw rowGone(object.identity(inTransactionOf: store)?.zIndex, object.schema)
      }
      let zIndex = try captureNew(
        object, holder: question.holder, isRoot: true, result: question.result)
      if let result = question.result { results[result] = zIndex }
      try flush()
    }
  }

  func rowGone(_ zIndex: ZIndex?, _ schema: ObjectSchema) -> MagicError {
    let row = zIndex.map { " \($0)" } ?? ""
    return MagicError(
      .notFound, "Row\(row) is not in the database any more.", type: schema.typeName)
  }

  /// A member whose row is gone is no object of the database any more.
  func noteRemoved(_ object: ObjectReference, _ holder: RetainedObjects?) {
    gone.insert(object.instanceKey)
    keep(holder)
    log.remove(object.record)
  }

  func keep(_ holder: RetainedObjects?) {
    if let holder, holders.last !== holder { holders.append(holder) }
  }

  /// Reserves the row ID of a new row.
  @inline(__always)
  func reserve(_ schema: ObjectSchema, isAhead: Bool = false) throws -> Int64 {
    let rowID = try engine.reserveRowID(of: schema, isAhead: isAhead)
    guard keepsReserved else { return rowID }
    while firstReserved.count <= schema.ordinal { firstReserved.append(.max) }
    if rowID < firstReserved[schema.ordinal] { firstReserved[schema.ordinal] = rowID }
    return rowID
  }

  /// Whether a row is known to be one that this transaction has inserted, or will.
  func hasReserved(_ rowID: Int64, of schema: ObjectSchema) -> Bool {
    schema.ordinal < firstReserved.count && rowID >= firstReserved[schema.ordinal]
  }

  /// The transaction was committed: objects are what was stored.
  package func didCommit() {
    log.commit()
  }

  /// The transaction was rolled back: objects are what they were.
  package func didRollBack() { log.rollBack() }

  /// Runs a part of the transaction. Where it throws, objects are what they were before it.
  package func nested<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = log.mark
    do {
      let result = try body()
      log.settle()
      return result
    } catch {
      log.rollBack(to: mark)
      firstReserved = []
      throw error
    }
  }
}
