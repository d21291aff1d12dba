import MagicEngine
import MagicSchema

/// Changes that the engine runs while others are captured.
final class StartedChanges {
  @exclusivity(unchecked) var changeset = Changeset()
  /// The rows whose outcome may differ from the assumption.
  @exclusivity(unchecked) var unconfirmed = UnconfirmedRows()
  @exclusivity(unchecked) var isRunning = false

  func removeAll() {
    isRunning = false
    changeset.removeAll()
    unconfirmed.removeAll()
  }
}

/// Runs captured changes in the engine.
extension ObjectTransaction {
  /// Runs the captured changes, and those that were started.
  func flush() throws {
    if let started, started.isRunning { try complete(started) }
    guard !changeset.isEmpty else { return }
    try engine.apply(changeset)
    if !changeset.outcomes.isEmpty { try correct() }
    clear()
  }

  /// Runs the captured changes because there are many; none of them may insert a row for a missing one.
  /// The engine may run them while others are captured, which do not depend on the outcomes.
  func flushFull() throws {
    guard graph == nil, !hasChosenPrimaries else { return try flush() }
    if let started, started.isRunning { try complete(started) }
    guard try engine.start(changeset) else { return try flush() }
    let running = started ?? StartedChanges()
    started = running
    exchange(running)
    running.isRunning = true
  }

  private func complete(_ running: StartedChanges) throws {
    running.isRunning = false
    try engine.complete()
    if !running.changeset.outcomes.isEmpty {
      exchange(running)
      defer { exchange(running) }
      try correct()
    }
    running.removeAll()
  }

  /// Exchanges the captured changes and those that were started.
  private func exchange(_ running: StartedChanges) {
    swap(&changeset, &running.changeset)
    swap(&unconfirmed, &running.unconfirmed)
  }

  /// Corrects the objects whose rows were not in the expected state, and runs the rows after a
  /// missing one.
  private func correct() throws {
    hasCorrections = true
    lookAhead?.rows.removeAll()
    while true {
      var missing: UnconfirmedRow?
      for outcome in changeset.outcomes {
        guard let row = unconfirmed.take(outcome.row) else { continue }
        if row.isExpected { try requireExpected(outcome, row.object) }
        switch outcome {
        case .otherRow(_, let rowID):
          guard let entry = row.logEntry else { continue }
          log.reassign(ZIndex(rawValue: rowID), at: entry)
          if row.object.schema.hasRowIDPrimary, let primary = row.object.schema.primary {
            log.reassignPrimary(Int(rowID), to: row.object.property(primary))
          }
        case .updated(_, let version): setVersion(of: row.object, to: version)
        case .missing where row.isRoot: missing = row
        case .missing: noteRemoved(row.object, row.holder)
        }
      }
      if let missing { try replace(missing) }
      guard changeset.resume() else { return }
      try engine.apply(changeset)
    }
  }

  /// - Throws: `MagicError` with `.conflict` if a row is not the one that was looked up.
  private func requireExpected(_ outcome: RowOutcome, _ object: ObjectReference) throws {
    if case .updated = outcome { return }
    throw MagicError(
      .conflict,
      "The row of the object was inserted or deleted while the object was being saved. Nothing was "
        + "written. Save the object again.", type: object.schema.typeName)
  }

  func clear() {
    changeset.removeAll()
    hasChosenPrimaries = false
    hasUnconfirmedIDs = false
    hasPossibleInserts = false
    if !unconfirmed.isEmpty { unconfirmed.removeAll() }
  }

  /// Inserts an object whose row is missing, before the rows that were captured after it run.
  ///
  /// - Throws: `MagicError` with `.notFound` unless the caller has asked for the insertion.
  private func replace(_ row: UnconfirmedRow) throws {
    let object = row.object
    try requireInsertion(of: object, ZIndex(rawValue: changeset.rowIDs[row.row]))
    let (others, otherRows) = (changeset, unconfirmed)
    changeset = Changeset()
    unconfirmed = UnconfirmedRows()
    defer { (changeset, unconfirmed) = (others, otherRows) }
    try captureNew(object, holder: row.holder, isRoot: true)
    try flush()
  }

  /// Checks that an object whose row is missing may be inserted.
  ///
  /// - Throws: `MagicError` with `.notFound` unless the caller has asked for the insertion.
  func requireInsertion(of object: ObjectReference, _ zIndex: ZIndex) throws {
    guard rules.missing == .fail else { return }
    throw MagicError(
      .notFound,
      "Row \(zIndex) no longer exists. Nothing was written. To insert the object again, "
        + "call update(_:ifMissing: .insert).", type: object.schema.typeName)
  }

  /// Records that the row of a member was deleted, which makes the object unsaved.
  func noteRemoved(_ object: ObjectReference, _ holder: RetainedObjects?) {
    graph?.noteDeleted(object, holder)
    log.remove(object.record)
  }
}
