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
    _ statement: SQLiteStatement, types: @autoclosure () -> [ObjectSchema],
    limitedRowsDepth: @autoclosure () -> Int? = nil
  ) {
    if diagnostics != nil || FullScanObserver.isUsed {
      diagnose(statement, types(), limitedRowsDepth())
    }
  }

  @inline(never)
  private func diagnose(
    _ statement: SQLiteStatement, _ types: [ObjectSchema], _ limitedRowsDepth: Int?
  ) {
    let steps = diagnostics == nil ? 0 : statement.takeFullScanSteps()
    if let diagnostics, steps >= diagnostics.options.scanLimit,
      !diagnostics.hasReported(statement.sql),
      let diagnosis = diagnosis(of: statement.sql, types, limitedRowsDepth, steps: steps)
    {
      diagnostics.report(diagnosis, of: statement.sql)
    }
    // In a test, a small table has the plan of a large one.
    if let observer = FullScanObserver.current, observer.isNew(statement.sql),
      let diagnosis = diagnosis(of: statement.sql, types, limitedRowsDepth, steps: nil)
    {
      observer.report(diagnosis)
    }
  }

  /// Returns the full scans of a statement; nil if it has none, or no condition.
  ///
  /// - Parameter steps: the number of rows that it has read; nil if it is unknown.
  private func diagnosis(
    of sql: String, _ types: [ObjectSchema], _ limitedRowsDepth: Int?, steps: Int?
  ) -> MagicDiagnosis? {
    let clauses = StatementClauses(of: sql, limitedRowsDepth: limitedRowsDepth)
    guard clauses.hasCondition,
      let plan = try? withoutRecording({
        try plan(of: sql, types: types, limitedRowsDepth: limitedRowsDepth)
      })
    else { return nil }
    // Without a condition on its rows, a statement is meant to read all of its first table.
    let tables = clauses.restrictsRows ? plan.fullScans : plan.fullScans(after: 1)
    guard !tables.isEmpty else { return nil }
    let rows = steps.map { " read \($0) rows" } ?? " reads all rows"
    return MagicDiagnosis(
      .fullScan,
      "Full scan of \(tables.joined(separator: ", ")): a statement with a condition\(rows).",
      advice: plan.suggestions.isEmpty
        ? nil : plan.suggestions.map { "\($0.type): \($0.declaration)" }.joined(separator: "; "),
      sql: sql)
  }
}
