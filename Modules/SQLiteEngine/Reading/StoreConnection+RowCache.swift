import MagicEngine
import MagicSQLite
package import MagicSchema
import SQLiteTables

extension StoreConnection {
  /// Fetches the row with the primary value in the parameters, from the cache if it is there.
  func fetchByPrimary(
    _ statements: TypeStatements, _ graph: RowGraph?, isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    guard let cache, let table = statements.cachedTable, graph == nil, isWanted == nil,
      digest == nil, recorder == nil, !connection.isInTransaction,
      let index = connection.logIndexAddress, let key = RowKey(parameters, of: statements.schema)
    else { return try selectByPrimary(statements, graph, isWanted) }
    switch cache.find(key, index) {
    case .found(let row):
      return FetchedRows([row.makeChunk(of: statements.schema, token)], count: 1)
    case .missing(let commit):
      let rows = try selectByPrimary(statements, graph, isWanted)
      if let chunk = rows.chunks.first, connection.readsLastCommit {
        cache.insert(chunk, for: key, table: table, commit: commit)
      }
      return rows
    case .unknown:
      return try selectByPrimary(statements, graph, isWanted)
    }
  }

  package func cachedRow(of schema: ObjectSchema) -> RowChunk? {
    guard let cache, hasCacheableRows(of: schema), let index = connection.logIndexAddress,
      let key = RowKey(parameters, of: schema),
      case .found(let row) = cache.find(key, index, countingMisses: false)
    else { return nil }
    return row.makeChunk(of: schema, token)
  }

  /// A transaction has begun on this connection: records which cached rows it changes.
  package func recordRowsForCache() {
    guard let rows = cache?.willWrite(on: connection) else { return }
    if mayReplaceRows == nil {
      // After an error it stays unknown.
      let catalogue = Catalogue(connection: connection)
      mayReplaceRows = try? catalogue.exists("magic_catalogue") && catalogue.mayReplaceRows()
    }
    if mayReplaceRows != false { rows.markIncomplete() }
  }

  private func selectByPrimary(
    _ statements: TypeStatements, _ graph: RowGraph?, _ isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    let select = try statements.selectByPrimary
    try select.bind(parameters[0], of: parameters, parameters.firstByte, at: 1)
    return try pack(select, statements.schema, graph, isWanted, limit: 1)
  }
}
