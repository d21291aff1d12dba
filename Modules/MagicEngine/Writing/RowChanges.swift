package import MagicSchema

/// Consecutive changes of a ``Changeset`` that have the same operation and type.
@usableFromInline
package struct RowChanges {
  package let schema: ObjectSchema
  package let operation: RowOperation
  /// The columns that an update writes, in ascending order. An insert writes all columns.
  package let columns: ColumnSet
  let start: Int
  var end: Int
  /// The index of the first row's first field. The fields of the rows are consecutive.
  package let firstField: Int
  /// The number of fields of a row.
  package let width: Int
  /// The owned list whose members the inserted rows are. The last two fields of a row are then the
  /// row ID of the owner and the index of the row in the list.
  package let list: OwnedList?

  /// The number of fields of a row that are columns of its type.
  package var columnCount: Int { list == nil ? width : width - 2 }

  /// The indexes of the rows in the changeset.
  package var rows: Range<Int> { start..<end }

  /// Returns the index of a row's first field.
  package func field(ofRow row: Int) -> Int { firstField + (row - start) * width }

  /// Returns the version that a row must have before its update or deletion; nil if the type has no
  /// version, or the update does not write it.
  package func expectedVersion(ofRow row: Int, in values: FieldBuffer) -> Int64? {
    guard let version = schema.version else { return nil }
    let first = field(ofRow: row)
    guard operation == .update else { return values[first].integer }
    return columns.indices.firstIndex(of: version).map { values[first + $0].integer - 1 }
  }

  /// Returns the changes from a row on.
  func suffix(from row: Int) -> RowChanges {
    RowChanges(
      schema: schema, operation: operation, columns: columns, start: row, end: end,
      firstField: field(ofRow: row), width: width, list: list)
  }

  /// Returns whether a row can be appended to these changes.
  @inline(__always)
  func continues(
    with operation: RowOperation, _ schema: ObjectSchema, _ columns: ColumnSet,
    _ list: OwnedList?
  ) -> Bool {
    guard self.operation == operation, self.schema === schema, self.list == list else {
      return false
    }
    return operation != .update || self.columns == columns
  }
}

/// The operation on a row.
package enum RowOperation: Sendable {
  /// Inserts a row. If the type has an auto-increment primary, the library has already assigned it.
  case insert
  /// Inserts a row. If its primary value exists, the engine throws `MagicError` with `.notUnique`.
  case insertNew
  /// Inserts a row. If its primary value exists, updates all columns of the existing row
  /// instead, and increments its version.
  case upsert
  /// Updates some columns of an existing row. If they include the version of the type, and the stored
  /// version is not the one before the new version, the engine throws `MagicError` with `.conflict`.
  case update
  /// Checks that a row exists.
  case require
  /// Deletes a row, and everything that its delete rules cascade to. If the type has a version, the
  /// only field is the version of the object, and the engine throws `MagicError` with `.conflict` if
  /// the row has another one.
  case delete
}

/// The outcome of an operation whose row was not in the expected state.
@usableFromInline
package enum RowOutcome: Sendable {
  /// The row has another row ID than the reserved one: the ID of the existing row with its primary
  /// value, or the ID that the engine gave to a new row because
  /// ``EngineTransaction/reservesOneByOne`` is true.
  case otherRow(row: Int, rowID: Int64)
  /// An upsert has updated an existing row of a type with versions, which now has this version.
  case updated(row: Int, version: Int)
  /// The row does not exist in the database.
  case missing(row: Int)

  /// The index of the row in the changeset.
  package var row: Int {
    switch self {
    case .otherRow(let row, _), .updated(let row, _), .missing(let row): row
    }
  }
}
