import CMagicSQLite

/// Arithmetic that fails if a result of integers exceeds 64 bits. SQLite's operators then return a
/// floating-point number, which is not exact.
extension SQLiteConnection {
  func defineArithmetic() throws(SQLiteError) {
    let flags = Self.queryFunctionFlags
    try define("magic_add", flags, nil) { context, count, values in
      SQLiteFunctionCall(context, count, values, 2)?
        .compute({ $0.addingReportingOverflow($1) }, { $0 + $1 })
    }
    try define("magic_subtract", flags, nil) { context, count, values in
      SQLiteFunctionCall(context, count, values, 2)?
        .compute({ $0.subtractingReportingOverflow($1) }, { $0 - $1 })
    }
    try define("magic_multiply", flags, nil) { context, count, values in
      SQLiteFunctionCall(context, count, values, 2)?
        .compute({ $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
    }
    try define("magic_divide", flags, nil) { context, count, values in
      guard let call = SQLiteFunctionCall(context, count, values, 2), call.real(1) != 0 else {
        return
      }
      call.compute({ $0.dividedReportingOverflow(by: $1) }, { $0 / $1 })
    }
  }
}

extension SQLiteFunctionCall {
  /// Returns the result of an operation on the first two values; NULL if one of them is NULL.
  fileprivate func compute(
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    _ reals: (Double, Double) -> Double
  ) {
    if isNull(1) { return }
    guard isInteger(0), isInteger(1) else { return result.returnReal(reals(real(0), real(1))) }
    let (integer, overflow) = integers(self.integer(0), self.integer(1))
    if overflow { result.returnOverflow() } else { result.returnInteger(integer) }
  }
}
