package import MagicEngine
package import MagicSchema

extension EngineReader {
  /// Returns the rows of a list that match a condition, which the database evaluates.
  package func rows(
    _ rowIDs: some Collection<Int64>, of schema: ObjectSchema, matching filter: any MemberFilter
  ) throws -> Set<Int64> {
    guard !rowIDs.isEmpty, var plan = filter as? QueryDescription else { return [] }
    let rowID = QueryExpression(tree: .column(.rowID(of: schema, in: .root)))
    plan.restrict(to: .inList(rowID, rowIDs.map { .integer($0) }))
    plan.selection = [rowID]
    var found = Set<Int64>()
    try select(PreparedQuery(schema, plan, .tuples)) { rows in
      for row in 0..<rows.count { found.insert(rows.values[row].integer) }
    }
    return found
  }
}
