import MagicEngine
import MagicRuntime
package import MagicSchema
import Magical

/// New objects whose rows may be stored already.
extension ObjectTransaction {
  /// Returns the ID of the row that has a new object's primary value. Nil if there is none, or the
  /// object has no primary.
  func storedRow(of object: ObjectReference) throws -> Int64? {
    guard let primary = object.schema.primary else { return nil }
    return try storedRow(of: object, with: [primary], targets: [])
  }

  /// Whether the row that a new object updates is found by other columns than the primary.
  @inline(__always)
  func isMatched(_ object: ObjectReference, isRoot: Bool) -> Bool {
    !object.schema.key.isEmpty || isRoot && !rules.matched.isEmpty
  }

  /// Returns the ID of the row that a new object updates, because it has the same values in the
  /// columns of ``SavingRules/matched``, or else the same key. The object then gets the stored
  /// primary value.
  ///
  /// - Parameter targets: the row IDs that its to-one relationships refer to, by column.
  func matchedRow(
    of object: ObjectReference, isRoot: Bool, targets: [Int64?] = []
  ) throws -> Int64? {
    let isByKey = !isRoot || rules.matched.isEmpty
    guard !isByKey || !rules.requiresInsertion(of: object, isRoot: isRoot) else { return nil }
    let columns = isByKey ? object.schema.key : rules.matched
    guard !columns.isEmpty,
      let rowID = try storedRow(of: object, with: columns, targets: targets)
    else { return nil }
    if isByKey { try requireOneRow(of: object, withKeyOf: rowID) }
    try readPrimary(of: object, fromRow: rowID)
    return rowID
  }

  /// Checks that no other row than the one with a new object's key has its primary value.
  ///
  /// - Throws: `MagicError` with `.notUnique`.
  private func requireOneRow(of object: ObjectReference, withKeyOf rowID: Int64) throws {
    guard let row = try storedRow(of: object), row != rowID else { return }
    throw MagicError(
      .notUnique,
      "Row \(row) has the primary value of the new object, and row \(rowID) has its key. Change "
        + "one of them. Nothing was written.", type: object.schema.typeName)
  }

  /// Returns the ID of the row that has an object's values in some columns, of which at most one row
  /// can have them. Nil if there is none, or a value is not set or nil.
  private func storedRow(
    of object: ObjectReference, with columns: [Int], targets: [Int64?]
  ) throws -> Int64? {
    let schema = object.schema
    guard hasValues(object, columns, targets) else { return nil }
    if let rows = try lookedUpRows(of: object) {
      if columns == schema.key { return rows.key }
      if columns.count == 1, columns.first == schema.primary { return rows.primary }
    }
    try flush()
    defer { changeset.removeAll() }
    let first = values.append(columns.count)
    let capture = RowCapture(object, into: values, targets: targets)
    for (place, column) in columns.enumerated() {
      guard try capture.capture(column, of: object, at: first + place, log: &log) else {
        return nil
      }
    }
    return try engine.rowID(with: columns, at: first, in: values, schema)
  }

  /// Sets the primary value of an object to that of its row.
  private func readPrimary(of object: ObjectReference, fromRow rowID: Int64) throws {
    let schema = object.schema
    let known = lookAhead?.rows[object]
    guard let primary = schema.primary,
      let column = schema.columns[primary] as? any RefreshedProperty,
      let stored = try (known?.key == rowID ? known?.storedPrimary : nil)
        ?? storedValue(of: primary, inRow: rowID, of: schema),
      let undo = column.refresh(object.property(primary), from: stored)
    else { return }
    log.noteReplacement(undo)
  }

  /// Returns the stored value of a column; nil if the row does not exist.
  func storedValue(
    of column: Int, inRow rowID: Int64, of schema: ObjectSchema
  ) throws -> PropertyReference? {
    let chunks = try engine.reader.fetch(.rows(RowIDSet([rowID])), of: schema).chunks
    guard let chunk = chunks.first, chunk.rowCount == 1 else { return nil }
    return chunk.row(0).property(column)
  }

  /// Checks that an object which must be new is not saved.
  ///
  /// - Throws: `MagicError` with `.notUnique`.
  func requireUnsaved(_ object: ObjectReference) throws {
    guard rules.existing == .fail else { return }
    throw MagicError(
      .notUnique,
      "The object is already saved. To save its changes, call update(_:). Nothing was written.",
      type: object.schema.typeName)
  }

  /// Inserts new objects one by one, each with the objects that it refers to.
  ///
  /// - Returns: their row IDs; nil for an object that was not inserted, because another row has its
  ///   primary value, or a value of one of its unique properties.
  package func insertOrIgnore<Model: MagicObject>(
    _ objects: [Model], _ schema: ObjectSchema
  ) throws -> [ZIndex?] {
    try objects.map { object in
      do {
        return try nested(isOneRow: false) {
          try save(object, schema, SavingRules(existing: .fail))
        }
      } catch let error as MagicError where error.code == .notUnique {
        // Another object that the object refers to may be the cause.
        begin()
        guard try schema.withReference(to: object, isStored) else { throw error }
        return nil
      }
    }
  }

  /// Returns whether an object is saved, or a row has its primary value, or its values in a unique
  /// property or index.
  private func isStored(_ object: ObjectReference) throws -> Bool {
    let schema = object.schema
    guard object.identity(inTransactionOf: store)?.store != store else { return true }
    let saver = GraphSaver(self)
    var targets = [Int64?](repeating: nil, count: schema.columns.count)
    for toOne in schema.toOnes {
      let link = try toOne.schema.capture(object.property(toOne.column)) { _ in }
      if case .row(let row) = saver.target(of: link) { targets[toOne.column] = row }
    }
    let single = schema.columns.indices.filter { column in
      schema.columns[column].isUnique || column == schema.primary
    }
    let composite = schema.indexes.filter(\.identifiesRows).map { index in
      index.columns.compactMap { name in schema.columns.firstIndex { $0.name == name } }
    }
    return try (single.map { [$0] } + composite).contains {
      try storedRow(of: object, with: $0, targets: targets) != nil
    }
  }
}
