import MagicEngine
import MagicSchema

/// The versions of objects. The new version is part of a captured row, and the engine compares the
/// stored version with the one before it.
extension ObjectTransaction {
  /// Sets the version of an object with a row to the next one.
  ///
  /// - Throws: `MagicError` with `.idsExhausted` if there is no greater version.
  func incrementVersion(of object: ObjectReference) throws {
    guard let version = object.schema.version else { return }
    let property = object.property(version)
    let (next, overflow) = (property.load(Int.self) ?? 0).addingReportingOverflow(1)
    guard !overflow else {
      throw MagicError(
        .idsExhausted, "The version of the object has reached its maximum.",
        type: object.schema.typeName, property: object.schema.columns[version].property)
    }
    log.setVersion(next, of: property)
  }

  /// Sets the version of an object that overwrites a stored row to the version of the row.
  ///
  /// - Parameter lookedUp: the row, if it was looked up in this transaction.
  func readVersion(
    of object: ObjectReference, _ zIndex: ZIndex, _ lookedUp: LookedUpRows.Rows?
  ) throws {
    guard let version = object.schema.version else { return }
    if let known = lookedUp?.version {
      return log.setVersion(known, of: object.property(version))
    }
    // The captured rows may change the version.
    try flush()
    let stored = try storedValue(of: version, inRow: zIndex.rawValue, of: object.schema)
    log.setVersion(stored?.load(Int.self) ?? 0, of: object.property(version))
  }

  /// Sets the version of a new object: the first one, or that of the stored row that it has updated.
  func setVersion(of object: ObjectReference, to number: Int) {
    guard let version = object.schema.version else { return }
    log.setVersion(number, of: object.property(version))
  }

  /// Captures the deletion of an object's row.
  func captureDeletion(of object: ObjectReference, _ zIndex: ZIndex) {
    let schema = object.schema
    lookAhead?.rows.removeAll()
    var first = 0
    if let version = schema.version {
      first = values.append(1)
      let current = object.property(version).load(Int.self) ?? 0
      values.set(.integer(Int64(current)), at: first)
    }
    changeset.append(
      .delete, zIndex.rawValue, of: schema, columns: ColumnSet(), firstField: first)
  }
}
