extension DatabaseReading {
  /// Returns an object.
  ///
  /// - Throws: ``InspectionError`` with the kind `notFound` if there is no such row.
  package func object(
    _ rowID: Int64, of type: InspectedType, in database: InspectedDatabase
  ) throws -> InspectedObject {
    try snapshot { try InspectedObject(rowID, of: type, in: database, self) }
  }

  /// Returns the row IDs of the objects that a text identifies: by a unique column, by `#` and the
  /// row ID, by their label, or else by words in the texts of a search index, if the database has one.
  package func rowIDs(
    matching text: String, in type: InspectedType, limit: Int
  ) throws -> [Int64] {
    if text.hasPrefix("#"), let number = Int64(text.dropFirst()) {
      return try rows(of: type, [number]).map(\.rowID)
    }
    for column in type.uniqueColumns + [type.labelColumn].compactMap(\.self) {
      guard let value = try? InspectedValue(typed: text, for: column) else { continue }
      let condition = RowFilter(column, .equal, value).sql(dialect)
      let found = try rows(
        """
        SELECT \(InspectedType.rowIDColumn) FROM \(type.table.quoted) WHERE \(condition) \
        ORDER BY 1 LIMIT \(limit)
        """, [value], valuesUpTo: .max)
      if !found.isEmpty { return found.compactMap { $0[0].integer } }
    }
    guard let search = RowSearch(text, in: type), search.index != nil else { return [] }
    let page = try page(of: type, RowRequest(search: search, limit: limit))
    guard !page.isInterrupted else {
      throw InspectionError(.limit, "The search has ended because of its limit of time.")
    }
    return page.rows.map(\.rowID)
  }
}
