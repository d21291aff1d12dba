/// Reads the rows of a page with the help of an index on the sorting column.
///
/// NULL is less than every value. The rows with NULL and those with a value are therefore read by
/// separate statements, each of which begins at the position by its key.
final class PageReading {
  let reader: any DatabaseReading
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
    reader: any DatabaseReading, type: InspectedType, request: RowRequest, isDescending: Bool,
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
    let (name, key) = (sorting.column.quoted, reader.dialect.key(of: sorting))
    let position = request.position
    var found: [InspectedRow] = []
    for isNull in isDescending ? [false, true] : [true, false] {
      // A page that begins in the second part has no rows of the first.
      let isFirst = isNull != isDescending
      if let position, isFirst, position.value.isNull != isNull { continue }
      let isHere = position.map { $0.value.isNull == isNull } ?? false
      found += try part(
        [isNull ? "\(name) IS NULL" : "\(name) IS NOT NULL"], by: isNull ? [] : [key],
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
    var conditions = conditions + request.conditions(reader.dialect)
    var values = request.values
    let (after, afterOrEqual) = isDescending ? ("<", "<=") : (">", ">=")
    if let position {
      if let column = request.sorting, let name = columns.first {
        let value = reader.dialect.parameter(for: column)
        conditions.append(
          "\(name) \(afterOrEqual) \(value) AND (\(name) \(after) \(value) OR \(rowID) \(after) ?)")
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
      \(RowRequest.condition(conditions)) ORDER BY \(order) LIMIT \(limit)
      """
    return try read(sql, values)
  }

  /// Reads the best rows of a search first; nil if it has found too many for its time.
  private func ranked(_ search: RowSearch) throws -> [InspectedRow]? {
    guard let ranking = search.scored else { return nil }
    let (row, score) = (RowSearch.foundRow.quoted, RowSearch.score.quoted)
    var conditions = request.filters.map { $0.sql(reader.dialect) }
    var values = search.values + request.filters.flatMap(\.values)
    if let position = request.position {
      let (worse, after) = isDescending ? (">", "<") : ("<", ">")
      conditions.append("\(score) \(worse) ? OR \(score) = ? AND \(row) \(after) ?")
      values += [position.value, position.value, .init(.integer(position.rowID))]
    }
    let sql = """
      SELECT \(reader.columnList(of: type)), \(score) FROM \(ranking) \
      CROSS JOIN \(type.table.quoted) ON \(InspectedType.rowIDColumn.quoted) = \(row)\
      \(RowRequest.condition(conditions)) \
      ORDER BY \(score) \(isDescending ? "" : "DESC"), \(row) \(isDescending ? "DESC" : "") \
      LIMIT \(limit)
      """
    do {
      var found: [InspectedRow] = []
      try reader.limited(to: request.rankingTime) {
        try reader.forEachRow(sql, values, of: type, isScored: true) { found.append($0) }
      }
      return found
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
    var conditions = request.filters.map { $0.sql(reader.dialect) }
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
        \(RowRequest.condition(conditions)) \
        ORDER BY \(row) \(isDescending ? "DESC" : "") LIMIT \(limit)
        """
      found += try read(sql, part.values + values)
    }
    found.sort { isDescending ? $0.rowID > $1.rowID : $0.rowID < $1.rowID }
    return Array(found.prefix(limit))
  }

  private func read(_ sql: String, _ values: [InspectedValue]) throws -> [InspectedRow] {
    var found: [InspectedRow] = []
    func read() throws {
      try reader.forEachRow(sql, values, of: type, isScored: false) { found.append($0) }
    }
    guard request.search != nil else {
      try read()
      return found
    }
    // What a search has found before its time is over is shown.
    do {
      try reader.limited(to: request.searchTime, read)
    } catch let error as InspectionError where error.kind == .limit {
      isInterrupted = true
    }
    return found
  }
}
