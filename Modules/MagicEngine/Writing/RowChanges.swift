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
  /// Inserts a row. If its primary value exists, updates all columns of the existing row instead.
  case upsert
  /// Updates some columns of an existing row.
  case update
  /// Checks that a row exists.
  case require
  /// Deletes a row, and everything that its delete rules cascade to.
  case delete
}

/// The outcome of an operation whose row was not in the expected state.
@usableFromInline
package enum RowOutcome: Sendable {
  /// The row has another row ID than the reserved one: the ID of the existing row with its primary
  /// value, or the ID that the engine gave to a new row because
  /// ``EngineTransaction/reservesOneByOne`` is true.
  case otherRow(row: Int, rowID: Int64)
  /// The row does not exist in the database.
  case missing(row: Int)

  /// The index of the row in the changeset.
  package var row: Int {
    switch self {
    case .otherRow(let row, _), .missing(let row): row
    }
  }
}
