import MagicSQLite

extension InspectionReader {
  /// Returns an object.
  ///
  /// - Throws: ``InspectionError`` with the kind `notFound` if there is no such row.
  public func object(
    _ rowID: Int64, of type: InspectedType, in database: InspectedDatabase
  ) throws -> InspectedObject {
    try reading.object(rowID, of: type, in: database)
  }

  /// Returns the row IDs of the objects that a text identifies: by a unique column, by `#` and the
  /// row ID, by their label, or else by words in the texts of a search index, the best first. If these are
  /// too many to rank, their order is that of row IDs.
  ///
  /// - Throws: ``InspectionError`` with the kind `limit` if the search index has not found the objects
  ///   within a second.
  public func rowIDs(
    matching text: String, in type: InspectedType, limit: Int = 10
  ) throws -> [Int64] {
    try reading.rowIDs(matching: text, in: type, limit: limit)
  }

  /// Returns an object, named for a reader.
  public func reference(
    to rowID: Int64, of type: InspectedType, key: InspectedValue? = nil
  ) throws -> InspectedReference {
    let label = type.labelColumn?.column.quoted ?? "NULL"
    let sql = """
      SELECT \(label) FROM \(type.table.quoted) WHERE \(InspectedType.rowIDColumn) = ?
      """
    let found = try map(sql, [.init(.integer(rowID))]) { InspectedValue($0.column(0), limit: 240) }
    let text = found.first?.text(as: type.labelColumn?.form ?? .text)
    let isEmpty = text?.allSatisfy(\.isWhitespace) ?? true
    return InspectedReference(
      table: type.table, rowID: rowID, label: isEmpty ? nil : text?.shown, exists: !found.isEmpty,
      key: key)
  }
}
