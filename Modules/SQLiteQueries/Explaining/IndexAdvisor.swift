import MagicEngine
import MagicSchema

/// Suggests missing indexes for a statement.
struct IndexAdvisor {
  let clauses: StatementClauses
  /// Returns the type of a table.
  let type: (String) -> ObjectSchema?

  func suggestions(for plan: StatementPlan) -> [StatementPlan.Suggestion] {
    let sorts = plan.allSteps.contains {
      $0.usesTemporaryTree && $0.text.hasSuffix("ORDER BY")
    }
    var found: [StatementPlan.Suggestion] = []
    for table in plan.fullScans {
      guard let schema = type(table) else { continue }
      for columns in columns(of: schema, sorts: sorts) where !isIndexed(columns, schema) {
        let suggestion = StatementPlan.Suggestion(
          type: schema.typeName, declaration: declaration(of: columns, schema))
        if !found.contains(suggestion) { found.append(suggestion) }
      }
    }
    return found
  }

  /// Returns the columns of each index that the statement could use.
  private func columns(of schema: ObjectSchema, sorts: Bool) -> [[ColumnSchema]] {
    let equal = columns(of: schema, .equal)
    let range = columns(of: schema, .range).filter { !equal.contains($0) }
    // Each alternative of an OR needs its own index.
    if clauses.hasAlternatives { return (equal + range).map { [$0] } }
    let order = sorts ? columns(of: schema, .order).filter { !equal.contains($0) } : []
    let all = equal + (range.isEmpty ? order : Array(range.prefix(1)))
    return all.isEmpty ? [] : [all]
  }

  private func columns(
    of schema: ObjectSchema, _ kind: StatementClauses.Use.Kind
  ) -> [ColumnSchema] {
    var columns: [ColumnSchema] = []
    for use in clauses.uses where use.kind == kind {
      if let qualifier = use.qualifier,
        clauses.table(named: qualifier).lowercased() != schema.tableName.lowercased()
      {
        continue
      }
      guard let column = schema.columns.first(where: { isSame($0.name, use.column) }),
        !column.isRowID, !columns.contains(column)
      else { continue }
      columns.append(column)
    }
    return columns
  }

  /// Returns whether an index for the columns exists already. SQLite did not choose it.
  private func isIndexed(_ columns: [ColumnSchema], _ schema: ObjectSchema) -> Bool {
    schema.indexes.contains { index in
      index.computed == nil && index.columns.count >= columns.count
        && zip(index.columns, columns).allSatisfy { isSame($0, $1.name) }
    }
  }

  private func declaration(of columns: [ColumnSchema], _ schema: ObjectSchema) -> String {
    if columns.count == 1 {
      let wrapper = columns[0].isNullable ? "@OptionMagicValue" : "@MagicValue"
      return "\(wrapper)(.indexed) var \(columns[0].property)"
    }
    let paths = columns.map { "\\.$\($0.property)" }.joined(separator: ", ")
    return "static var indexes: [MagicIndex<\(schema.typeName)>] { [MagicIndex(\(paths))] }"
  }

  private func isSame(_ name: String, _ other: String) -> Bool {
    name.lowercased() == other.lowercased()
  }
}

extension [ColumnSchema] {
  fileprivate func contains(_ column: ColumnSchema) -> Bool { contains { $0 === column } }
}
