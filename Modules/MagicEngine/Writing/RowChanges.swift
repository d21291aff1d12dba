package import MagicSchema

/// Changes of one kind to rows of one type, that follow each other in a ``Changeset``.
@usableFromInline
package struct RowChanges {
  package let schema: ObjectSchema
  package let operation: RowOperation
  /// What an update writes, in ascending order; an insert writes all columns.
  package let columns: ColumnSet
  let start: Int
  var end: Int
  /// The place of the first row's first field. The rows' fields follow each other.
  package let firstField: Int
  /// How many fields a row has.
  package let width: Int

  /// Where the rows are in the changeset.
  package var rows: Range<Int> { start..<end }

  /// The place of a row's first field.
  package func field(ofRow row: Int) -> Int { firstField + (row - start) * width }

  /// Whether a row is one more of the same kind.
  @inline(__always)
  func continues(
    with operation: RowOperation, _ schema: ObjectSchema, _ columns: ColumnSet
  ) -> Bool {
    guard self.schema === schema else { return false }
    switch (operation, self.operation) {
    case (.insert, .insert), (.upsert, .upsert), (.require, .require), (.delete, .delete):
      return true
    case (.update, .update): return self.columns == columns
    default: return false
    }
  }
}

/// What is done with a row.
package enum RowOperation: String, Sendable {
  /// A new row. Its primary, if it has one, was assigned by the library.
  case insert
  /// A new row, or where its primary is taken, that row with all columns of the new one.
  case upsert
  /// Some columns of a row that was there.
  case update
  /// Nothing; but the row must be there.
  case require
  /// The row, with everything that its deletion cascades to.
  case delete
}

/// How a row has turned out, where it is not the one that was assumed.
@usableFromInline
package enum RowOutcome: Sendable {
  /// The new row has another row ID: that of the row which had its primary.
  case otherRow(row: Int, rowID: Int64)
  /// The row is not in the database.
  case missing(row: Int)

  /// Where the row is in the changeset.
  package var row: Int {
    switch self {
    case .otherRow(let row, _), .missing(let row): row
    }
  }
}
