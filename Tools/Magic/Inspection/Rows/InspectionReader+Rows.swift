import MagicSQLite

extension InspectionReader {
  /// Returns a page of a type's rows.
  public func page(of type: InspectedType, _ request: RowRequest) throws -> RowPage {
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
    let sql = """
      SELECT \(column.column.quoted) FROM \(type.table.quoted) \
      WHERE \(InspectedType.rowIDColumn) = ?
      """
    return try map(sql, [.init(.integer(row.rowID))]) { InspectedValue($0.column(0)) }.first
      ?? .init(.null)
  }

  /// Returns rows by their row IDs, in the given order. Rows that do not exist are left out.
  public func rows(of type: InspectedType, _ rowIDs: [Int64]) throws -> [InspectedRow] {
    let sql = """
      SELECT \(columnList(of: type)) FROM \(type.table.quoted) \
      WHERE \(InspectedType.rowIDColumn) = ?
      """
    return try rowIDs.compactMap { rowID in
      try map(sql, [.init(.integer(rowID))]) { row($0, of: type) }.first
    }
  }

  /// Calls a closure with every row of a type, in the order of row IDs.
  public func forEachRow(of type: InspectedType, _ body: (InspectedRow) throws -> Void) throws {
    try translatingErrors {
      let sql = """
        SELECT \(columnList(of: type)) FROM \(type.table.quoted) ORDER BY \(InspectedType.rowIDColumn)
        """
      try rows(sql) { statement in
        try body(row(statement, of: type))
        return true
      }
    }
  }

  func columnList(of type: InspectedType) -> String {
    ([InspectedType.rowIDColumn] + type.columns.map(\.column)).map(\.quoted)
      .joined(separator: ", ")
  }

  func row(_ statement: SQLiteStatement, of type: InspectedType) -> InspectedRow {
    InspectedRow(
      rowID: statement.column(0).integer,
      values: type.columns.indices.map {
        InspectedValue(statement.column($0 + 1), limit: valueLimit)
      })
  }

  /// Counts the rows of a type that meet all conditions, for a limited time.
  public func count(
    of type: InspectedType, filters: [RowFilter] = [], search: RowSearch? = nil,
    within duration: Duration = .milliseconds(200)
  ) throws -> RowCount {
    let table = type.table.quoted
    let request = RowRequest(filters: filters, search: search)
    do {
      let counted = try limited(to: duration) {
        try integer(
          "SELECT count(*) FROM \(table)\(Self.condition(request.conditions))", request.values)
      }
      return .exact(Int(counted ?? 0))
    } catch let error as InspectionError where error.kind == .limit {
      // Row IDs begin at 1, except in a shared database. One statement with both functions would read
      // the whole table.
      let rowID = InspectedType.rowIDColumn
      let range = try integer(
        "SELECT (SELECT max(\(rowID)) FROM \(table)) - (SELECT min(\(rowID)) FROM \(table)) + 1")
      return .atMost(Int(range ?? 0))
    }
  }

  static func condition(_ parts: [String]) -> String {
    parts.isEmpty ? "" : " WHERE " + parts.map { "(\($0))" }.joined(separator: " AND ")
  }
}

/// Reads the rows of a page with the help of an index on the sorting column.
///
/// NULL is less than every value. The rows with NULL and those with a value are therefore read by
/// separate statements, each of which begins at the position by its key.
private final class PageReading {
  let reader: InspectionReader
  let type: InspectedType
  let request: RowRequest
  let isDescending: Bool
  let limit: Int
  /// Whether a search has used its time.
  private(set) var isInterrupted = false
  /// Whether the rows of a search by an index have the order of row IDs.
  private(set) var isUnranked = false
  /// The row IDs of the rows of a search without ranks that only have words with the beginning.
  private(set) var beginnings: Set<Int64> = []

  init(
    reader: InspectionReader, type: InspectedType, request: RowRequest, isDescending: Bool,
    limit: Int
  ) {
    self.reader = reader
    self.type = type
    self.request = request
    self.isDescending = isDescending
    self.limit = limit
  }

  func rows() throws -> [InspectedRow] {
    if let search = request.ranking, let found = try ranked(search) { return found }
    if let search = request.indexedSearch { return try unranked(search) }
    guard let sorting = request.sorting, !sorting.isRowID else {
      return try part([], by: [], after: nil, limit: limit)
    }
    let name = sorting.column.quoted
    let position = request.position
    var found: [InspectedRow] = []
    for isNull in isDescending ? [false, true] : [true, false] {
      // A page that begins in the second part has no rows of the first.
      let isFirst = isNull != isDescending
      if let position, isFirst, position.value.isNull != isNull { continue }
      let isHere = position.map { $0.value.isNull == isNull } ?? false
      found += try part(
        [isNull ? "\(name) IS NULL" : "\(name) IS NOT NULL"], by: isNull ? [] : [name],
        after: isHere ? position : nil, limit: limit - found.count)
      if found.count >= limit || isInterrupted { break }
    }
    return found
  }

  private func part(
    _ conditions: [String], by columns: [String], after given: RowPosition?, limit: Int
  ) throws -> [InspectedRow] {
    let rowID = InspectedType.rowIDColumn
    let position =
      request.sorting == nil || request.sorting?.isRowID == true
      ? request.position : given
    var conditions = conditions + request.conditions
    var values = request.values
    let (after, afterOrEqual) = isDescending ? ("<", "<=") : (">", ">=")
    if let position {
      if let name = columns.first {
        conditions.append(
          "\(name) \(afterOrEqual) ? AND (\(name) \(after) ? OR \(rowID) \(after) ?)")
        values += [position.value, position.value]
      } else {
        conditions.append("\(rowID) \(after) ?")
      }
      values.append(.init(.integer(position.rowID)))
    }
    let direction = isDescending ? " DESC" : ""
    let order = (columns + [rowID]).map { $0 + direction }.joined(separator: ", ")
    let sql = """
      SELECT \(reader.columnList(of: type)) FROM \(type.table.quoted)\
      \(InspectionReader.condition(conditions)) ORDER BY \(order) LIMIT \(limit)
      """
    return try read(sql, values) { reader.row($0, of: type) }
  }

  /// Reads the best rows of a search first; nil if it has found too many for its time.
  private func ranked(_ search: RowSearch) throws -> [InspectedRow]? {
    guard let ranking = search.scored else { return nil }
    let (row, score) = (RowSearch.foundRow.quoted, RowSearch.score.quoted)
    var conditions = request.filters.map(\.sql)
    var values = search.values + request.filters.flatMap(\.values)
    if let position = request.position {
      let (worse, after) = isDescending ? (">", "<") : ("<", ">")
      conditions.append("\(score) \(worse) ? OR \(score) = ? AND \(row) \(after) ?")
      values += [position.value, position.value, .init(.integer(position.rowID))]
    }
    let sql = """
      SELECT \(reader.columnList(of: type)), \(score) FROM \(ranking) \
      CROSS JOIN \(type.table.quoted) ON \(InspectedType.rowIDColumn.quoted) = \(row)\
      \(InspectionReader.condition(conditions)) \
      ORDER BY \(score) \(isDescending ? "" : "DESC"), \(row) \(isDescending ? "DESC" : "") \
      LIMIT \(limit)
      """
    do {
      return try reader.limited(to: request.rankingTime) {
        try reader.map(sql, values) { statement in
          var row = reader.row(statement, of: type)
          row.score = statement.column(type.columns.count + 1).real
          return row
        }
      }
    } catch let error as InspectionError where error.kind == .limit {
      return nil
    }
  }

  /// Reads the first rows of a search by an index: those with whole words in the order of row IDs, then
  /// those that only have words with the beginning, in this order too.
  private func unranked(_ search: RowSearch) throws -> [InspectedRow] {
    isUnranked = true
    let position = request.position
    var parts = [(search: search.ofWholeWords ?? search, areBeginnings: false)]
    if let search = search.ofBeginnings { parts.append((search, true)) }
    if position?.side == .before { parts.reverse() }
    let start = parts.firstIndex { $0.areBeginnings == position?.isAmongBeginnings } ?? 0
    var found: [InspectedRow] = []
    for (index, part) in parts.enumerated().dropFirst(start) {
      let rows = try unranked(
        part.search, after: index == start ? position : nil, limit: limit - found.count)
      if part.areBeginnings { beginnings.formUnion(rows.map(\.rowID)) }
      found += rows
      if found.count >= limit || isInterrupted { break }
    }
    return found
  }

  private func unranked(
    _ search: RowSearch, after position: RowPosition?, limit: Int
  ) throws -> [InspectedRow] {
    let row = RowSearch.foundRow.quoted
    var conditions = request.filters.map(\.sql)
    var values = request.filters.flatMap(\.values)
    if let position {
      conditions.append("\(row) \(isDescending ? "<" : ">") ?")
      values.append(.init(.integer(position.rowID)))
    }
    // Statements of their own, because SQLite would read and sort all rows of a union.
    var found: [InspectedRow] = []
    for part in search.unscored where !isInterrupted {
      let sql = """
        SELECT \(reader.columnList(of: type)) FROM \(part.sql) \
        CROSS JOIN \(type.table.quoted) ON \(InspectedType.rowIDColumn.quoted) = \(row)\
        \(InspectionReader.condition(conditions)) \
        ORDER BY \(row) \(isDescending ? "DESC" : "") LIMIT \(limit)
        """
      found += try read(sql, part.values + values) { reader.row($0, of: type) }
    }
    found.sort { isDescending ? $0.rowID > $1.rowID : $0.rowID < $1.rowID }
    return Array(found.prefix(limit))
  }

  private func read(
    _ sql: String, _ values: [InspectedValue], _ row: (SQLiteStatement) throws -> InspectedRow
  ) throws -> [InspectedRow] {
    guard request.search != nil else { return try reader.map(sql, values, row) }
    // What a search has found before its time is over is shown.
    var found: [InspectedRow] = []
    do {
      try reader.limited(to: request.searchTime) {
        try reader.rows(sql, values) { statement in
          found.append(try row(statement))
          return true
        }
      }
    } catch let error as InspectionError where error.kind == .limit {
      isInterrupted = true
    }
    return found
  }
}
