import MagicEngine
import MagicRuntime
import MagicSchema

/// Primaries that are the row ID.
extension ObjectTransaction {
  /// Returns the primary value of a new object without one: its row ID.
  ///
  /// - Parameter reserved: the row ID, if one was reserved before.
  func nextRowIDPrimary(
    _ column: ColumnSchema, of schema: ObjectSchema, _ reserved: Int64?
  ) throws -> Int {
    let rowID = try reserved ?? reserve(schema)
    // On a system where `Int` has 32 bits, not every row ID is a value of the property.
    guard let number = Int(exactly: rowID) else {
      throw MagicError(
        .idsExhausted, "The row ID \(rowID) is outside the range of Int on this system.",
        type: schema.typeName, property: column.property)
    }
    return number
  }

  /// Returns the row ID of a new object whose values were captured.
  ///
  /// - Parameter first: the index of the first column's field.
  /// - Throws: `MagicError` with `.cannotEncode` if the primary value cannot be a row ID.
  func rowIDPrimary(at first: Int, of schema: ObjectSchema) throws -> Int64 {
    let primary = schema.primary ?? 0
    let rowID = values[first + primary].integer
    guard rowID > 0 else {
      throw MagicError(
        .cannotEncode,
        "The value is not a row ID, because it is less than 1. Set a greater value, or none: then "
          + "the database assigns one.",
        type: schema.typeName, property: schema.columns[primary].property)
    }
    return rowID
  }

  /// Returns the row ID that the program has chosen for a new object, by setting its primary value.
  func chosenRowID(of object: ObjectReference) -> Int64? {
    guard object.schema.hasRowIDPrimary, let primary = object.schema.primary else { return nil }
    return object.property(primary).load(Int.self).map { Int64($0) }
  }

  /// Checks that the primary value of an object with a row is still its row ID, and removes the
  /// primary from the changed columns.
  func checkPrimary(of object: ObjectReference, _ changed: inout ColumnSet) throws {
    guard let primary = object.schema.primary, changed.contains(primary),
      let rowID = object.identity(inTransactionOf: store)?.zIndex.rawValue
    else { return }
    let column = object.schema.columns[primary]
    if let chosen = chosenRowID(of: object), chosen != rowID {
      throw MagicError(
        .constraint,
        "The primary value of a saved object is its row ID and cannot be changed. Set it to "
          + "\(rowID) again, or save a new object with the new value and remove this one.",
        type: object.schema.typeName, property: column.property)
    }
    var others = ColumnSet()
    changed.forEach { if $0 != primary { others.insert($0) } }
    changed = others
    guard let box = object.property(primary).existingBox(column.packing) else { return }
    let isLogged = object.hasHistory
    box.withLock { log.clear(box, isLogged: isLogged) }
  }
}
