import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// Inserts the rows of members of an owned list together with their places.
struct OwnedInsert {
  private let list: CollectionColumn
  let columns: LinkColumns
  private let positions: ListPositions

  init(_ list: OwnedList, _ transaction: WriteTransaction) throws {
    self.list = list.column
    columns = try transaction.statements(of: list.owner).links[list.collection].names
    positions = try transaction.store.rowIDs
      .readRange(Catalogue(connection: transaction.store.connection)).positions
  }

  /// Binds the owner and the position of a row to the last two parameters.
  ///
  /// - Parameter field: the index of the owner's field, which the index in the list follows.
  func bind(_ values: FieldBuffer, _ field: Int, to insert: SQLiteStatement) throws {
    let parameter = insert.parameterCount - 1
    try insert.bind(values[field].integer, at: parameter)
    try insert.bind(positions.first(values[field + 1].integer), at: parameter + 1)
  }

  /// Records that a row was inserted.
  func note(_ values: FieldBuffer, _ field: Int, in transaction: WriteTransaction) {
    transaction.placed.note(
      list, owner: values[field].integer, index: values[field + 1].integer)
  }
}
