import SQLiteFiles

extension StoreConnection {
  /// Runs a closure of the caller's inside a read. The open snapshot may not be taken away meanwhile.
  func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let pin else { return try body() }
    return try pin.pausing(body)
  }
}
