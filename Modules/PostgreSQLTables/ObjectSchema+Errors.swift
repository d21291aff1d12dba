import MagicEngine
package import MagicPostgreSQL
package import MagicSchema

/// Runs a body and converts errors of PostgreSQL.
package func translatingErrors<Result>(
  _ schema: ObjectSchema? = nil, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as PostgreSQLError where error.kind == .cancelled {
    throw CancellationError()
  } catch let error as PostgreSQLError {
    throw schema?.error(error) ?? MagicError(error)
  }
}

extension ObjectSchema {
  /// Returns the error for an error of PostgreSQL, with the property whose constraint failed.
  package func error(_ error: PostgreSQLError) -> MagicError {
    let general = MagicError(error, schema: self)
    guard general.code == .notUnique || general.code == .stillReferenced || general.code == .tooBig,
      let name = error.constraint, error.table == tableName || general.code == .tooBig
    else { return general }
    if let index = TableDefinition.computedIndex(named: name, of: self) {
      return MagicError(
        general.code,
        general.code == .tooBig
          ? general.message : "Another row has the same value: \(index.name).",
        type: typeName,
        property: index.columns.count == 1
          ? columns.first { $0.name == index.columns[0] }?.property : nil, cause: error)
    }
    let columns = TableDefinition.columns(ofConstraint: name, in: self)
    guard !columns.isEmpty else { return general }
    let names = columns.map { "\(tableName).\(self.columns[$0].name)" }.joined(separator: ", ")
    return MagicError(
      general.code,
      general.code == .notUnique ? "Another row has the same value: \(names)." : general.message,
      type: typeName, property: columns.count == 1 ? self.columns[columns[0]].property : nil,
      cause: error)
  }
}
