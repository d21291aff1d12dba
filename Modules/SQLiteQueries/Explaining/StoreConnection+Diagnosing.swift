import MagicEngine
package import MagicSQLite
package import MagicSchema
package import SQLiteEngine

extension StoreConnection {
  /// Reports a statement with a condition that scanned full tables. Called after each execution of
  /// a statement.
  ///
  /// A statement without a condition is not reported, because it is meant to read all rows.
  @inline(__always)
  package func diagnose(
    _ statement: SQLiteStatement, types: @autoclosure () -> [ObjectSchema]
  ) {
    if let diagnostics { diagnose(statement, types(), diagnostics) }
  }

  @inline(never)
  private func diagnose(
    _ statement: SQLiteStatement, _ types: [ObjectSchema], _ diagnostics: Diagnostics
  ) {
    let steps = statement.takeFullScanSteps()
    guard steps >= diagnostics.options.scanLimit else { return }
    let sql = statement.sql
    let clauses = StatementClauses(of: sql)
    guard !diagnostics.hasReported(sql), clauses.hasCondition,
      let plan = try? withoutRecording({ try plan(of: sql, types: types) })
    else { return }
    // Without a condition on its rows, a statement is meant to read all of its first table.
    let tables = clauses.restrictsRows ? plan.fullScans : plan.fullScans(after: 1)
    guard !tables.isEmpty else { return }
    diagnostics.report(
      MagicDiagnosis(
        .fullScan,
        "Full scan of \(tables.joined(separator: ", ")): a statement with a condition read "
          + "\(steps) rows.",
        advice: plan.suggestions.isEmpty
          ? nil : plan.suggestions.map { "\($0.type): \($0.declaration)" }.joined(separator: "; "),
        sql: sql),
      of: sql)
  }
}
