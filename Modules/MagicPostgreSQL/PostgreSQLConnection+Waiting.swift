import CPostgreSQL
import Dispatch

/// Waits for results that end at a time.
extension PostgreSQLConnection {
  /// Returns the time after a number of milliseconds, in nanoseconds of the system's uptime.
  static func time(after milliseconds: Int) -> UInt64 {
    DispatchTime.now().uptimeNanoseconds + UInt64(max(0, milliseconds)) * 1_000_000
  }

  /// Waits until the next result can be read without waiting.
  ///
  /// - Parameter end: the time at which the wait ends; nil to wait for the result when it is read.
  /// - Returns: false if the time is over.
  func waitForResult(until end: UInt64?) -> Bool {
    guard let end else { return true }
    // An error of the connection is reported when the result is read.
    while let pointer = try? open(), magic_PQisBusy(pointer) != 0, !isLost {
      let now = DispatchTime.now().uptimeNanoseconds
      guard now < end else { return false }
      _ = magic_wait(pointer, -1, Int32(clamping: (end - now + 999_999) / 1_000_000))
      guard magic_PQconsumeInput(pointer) == 1 else { return true }
    }
    return true
  }

  /// Runs SQL that has one result. The connection is closed if the result does not arrive in time.
  ///
  /// - Throws: ``PostgreSQLError``, with `.uncertain` if the time is over.
  package func execute(
    _ sql: String, milliseconds: Int
  ) throws(PostgreSQLError) -> PostgreSQLResult {
    try send(sql)
    let end = Self.time(after: milliseconds)
    guard waitForResult(until: end) else {
      close()
      var error = PostgreSQLError(.uncertain, "The server has not answered in time.")
      error.isOverdue = true
      error.sql = sql
      throw error
    }
    return try onlyResult(sql)
  }
}
