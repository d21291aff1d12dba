import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// Inserts the rows of members of an owned list together with their places.
struct OwnedInsert {
  private let list: CollectionColumn
  let columns: LinkColumns
  private let positions: ListPositions

  /// - Parameter owner: the statements of the owner's type.
  init(_ list: OwnedList, of owner: TypeStatements, on store: StoreConnection) throws {
    self.list = list.column
    columns = owner.links[list.collection].names
    positions = try store.rowIDs.readRange(Catalogue(connection: store.connection)).positions
  }

  /// Binds the owner and the position of a row to the last two parameters.
  ///
  /// - Parameter field: the index of the owner's field, which the index in the list follows.
  func bind(_ field: Int, of values: FieldBuffer, to insert: SQLiteStatement) throws {
    let parameter = insert.parameterCount - 1
    try insert.bind(values[field].integer, at: parameter)
    try insert.bind(positions.first(values[field + 1].integer), at: parameter + 1)
  }

  /// Records that a row was inserted.
  func note(_ field: Int, of values: FieldBuffer, in placed: inout PlacedMembers) {
    placed.note(list, owner: values[field].integer, index: values[field + 1].integer)
  }
}
