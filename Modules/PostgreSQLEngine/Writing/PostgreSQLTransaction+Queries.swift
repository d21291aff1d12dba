package import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// Changes the rows that queries find.
extension PostgreSQLTransaction {
  /// Runs a part of a query, after the migration of the outdated tables that it uses. A concurrent
  /// transaction ends instead, and runs again.
  func migrating<Result>(_ body: () throws -> Result) throws -> Result {
    try retryingAfterMigration(body) { try updateTable(of: $0) }
  }

  package func delete(_ query: PreparedQuery) throws -> Int {
    let found = try migrating { () throws -> PostgreSQLResult? in
      guard try session.statements(of: query.schema) != nil else { return nil }
      return try session.run(query.with(.rowIDs), isWriting: true)
    }
    guard let result = found else { return 0 }
    let rowIDs = Set((0..<result.count).map { result.integer($0, 0) })
    try remove(rowIDs.sorted(), from: query.schema.tableName)
    return rowIDs.count
  }

  package func update(_ query: PreparedQuery) throws -> Int {
    guard case .update(let columns) = query.result else { throw MagicError.malformedQuery }
    let schema = query.schema
    guard try migrating({ try session.statements(of: schema) }) != nil else { return 0 }
    note(written: schema.tableName)
    if columns.contains(where: { schema.columns[$0] is ToOneColumn }) {
      hasUncheckedReferences = true
    }
    let count = try migrating { try session.run(query, isWriting: true) }.affectedCount
    if let counted = schema.countedColumn, columns.contains(counted) { try recount(schema) }
    return count
  }
}
