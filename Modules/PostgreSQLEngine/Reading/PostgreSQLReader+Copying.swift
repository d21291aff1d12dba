import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Reads many rows by COPY. They are packed while they arrive, and are not kept in the memory of
/// libpq before.
extension PostgreSQLReader {
  /// The number of rows from which COPY is faster than a prepared statement, which the server does not
  /// plan again.
  static var copyCount: Int { 256 }

  /// Fetches the rows of a plan.
  ///
  /// - Returns: nil if they are probably few, or if the plan has parameters.
  func fetchByCopy(
    _ plan: FetchPlan, _ statements: TypeStatements, _ graph: RowGraph?,
    isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows? {
    var list: RowIDSet?
    var condition = ""
    switch plan {
    case .all:
      guard statements.rowCount.map({ $0 >= Self.copyCount }) ?? true else { return nil }
    case .rows(let rowIDs):
      guard let range = rowIDs.copiedRange else { return nil }
      list = rowIDs
      condition = "WHERE \"z_index\" BETWEEN \(range.lowerBound) AND \(range.upperBound) "
    default: return nil
    }
    let schema = statements.schema
    let texts = session.texts
    var packer = packer(for: schema, graph)
    var (count, passed) = (0, 0)
    var cancellation = CancellationCheck()
    try copy(
      "SELECT \(statements.selected()) FROM \(statements.table) \(condition)ORDER BY \"z_index\"",
      types: [.bigint] + statements.types, schema
    ) { copied in
      try cancellation.count()
      let row = TypeRow(copied, statements, texts)
      let rowID = row.rowID
      if let list, !list.contains(rowID, from: &passed) { return }
      if let isWanted, !isWanted(rowID) { return }
      count += 1
      texts.removeAll()
      try packer.append(row, rowID: rowID)
    }
    withExtendedLifetime(statements) {}
    if case .all = plan { statements.rowCount = count }
    digest?.add(count)
    return FetchedRows(packer.takeChunks(), count: count)
  }

  /// Copies the rows of a query, with the same errors as a statement of the type.
  func copy(
    _ query: String, types: [PostgreSQLType], _ schema: ObjectSchema,
    _ use: (CopiedRow) throws -> Void
  ) throws {
    try Task.checkCancellation()
    try translatingErrors(schema) {
      try session.connection.copy(query, types: types, out: use)
    }
  }
}

extension RowIDSet {
  /// The range of the row IDs if they are many, and at least half of the row IDs in the range. Then the
  /// server finds the rows of the range faster than those of a list.
  var copiedRange: ClosedRange<Int64>? {
    guard rowIDs.count >= PostgreSQLReader.copyCount, let first = rowIDs.first,
      let last = rowIDs.last
    else { return nil }
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    return !overflows && distance / 2 < rowIDs.count ? first...last : nil
  }
}
