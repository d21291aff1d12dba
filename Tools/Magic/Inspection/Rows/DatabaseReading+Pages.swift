extension DatabaseReading {
  /// Returns a page of a type's rows.
  package func page(of type: InspectedType, _ request: RowRequest) throws -> RowPage {
    try snapshot { try readPage(of: type, request) }
  }

  private func readPage(of type: InspectedType, _ request: RowRequest) throws -> RowPage {
    let limit = max(1, min(request.limit, 10_000))
    let isBackward = request.position?.side == .before
    // One more row shows whether there is another page.
    let reading = PageReading(
      reader: self, type: type, request: request,
      isDescending: request.isDescending != isBackward, limit: limit + 1)
    var rows = try reading.rows()
    let hasMore = rows.count > limit
    if hasMore { rows.removeLast() }
    if isBackward { rows.reverse() }
    func position(_ side: RowPosition.Side, _ row: InspectedRow?) throws -> RowPosition? {
      guard let row else { return nil }
      return RowPosition(
        side, rowID: row.rowID,
        value: reading.beginnings.contains(row.rowID)
          ? RowPosition.amongBeginnings : try sortValue(of: row, type, request))
    }
    let hasPrevious = isBackward ? hasMore : request.position != nil
    let hasNext = isBackward || hasMore
    return RowPage(
      rows: rows, previous: hasPrevious ? try position(.before, rows.first) : nil,
      next: hasNext ? try position(.after, rows.last) : nil,
      isInterrupted: reading.isInterrupted, isUnranked: reading.isUnranked)
  }

  /// Calls a closure with every row of a type, in the order of row IDs.
  package func forEachRow(of type: InspectedType, _ body: (InspectedRow) throws -> Void) throws {
    try snapshot {
      var request = RowRequest(limit: 5_000)
      repeat {
        let page = try page(of: type, request)
        try page.rows.forEach(body)
        request.position = page.next
      } while request.position != nil
    }
  }

  /// The whole value of the sorting column, which the row may have only the first part of.
  private func sortValue(
    of row: InspectedRow, _ type: InspectedType, _ request: RowRequest
  ) throws -> InspectedValue {
    guard let column = request.sorting else {
      return .init(row.score.map(InspectedValue.Stored.real) ?? .null)
    }
    if let index = type.columns.firstIndex(of: column), !row.values[index].isTruncated {
      return row.values[index]
    }
    return try value(of: column, in: type, row.rowID) ?? .init(.null)
  }

  /// Returns a whole value; nil if there is no such row.
  package func value(
    of column: InspectedColumn, in type: InspectedType, _ rowID: Int64
  ) throws -> InspectedValue? {
    let sql = """
      SELECT \(column.column.quoted) FROM \(type.table.quoted) \
      WHERE \(InspectedType.rowIDColumn) = ?
      """
    return try rows(sql, [.init(.integer(rowID))], valuesUpTo: .max).first?.first
  }
}
