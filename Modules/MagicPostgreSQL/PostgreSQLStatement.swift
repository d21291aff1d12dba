import MagicRuntime

/// A statement that each connection prepares when it first runs it, unless it runs once.
///
/// Statements are equal only if they are identical, so that a connection finds a prepared one
/// without comparing SQL.
package final class PostgreSQLStatement: Sendable {
  package let sql: String
  /// The types of the parameters.
  package let types: [PostgreSQLType]
  /// The statement that finds the rows of this one for several values of its only parameter, which are
  /// one array. The last column of its rows is the number of the value, from 1. Nil if there is none.
  package let together: PostgreSQLStatement?
  /// Whether the statement is not prepared, because it does not run again.
  let runsOnce: Bool
  let number: Int

  private static let lastNumber = Mutex(0).lockedDuringForks()

  package init(
    _ sql: String, _ types: [PostgreSQLType] = [], together: PostgreSQLStatement? = nil,
    runsOnce: Bool = false
  ) {
    self.sql = sql
    self.types = types
    self.together = together
    self.runsOnce = runsOnce
    number = Self.lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// The name of the prepared statement on each connection.
  var name: String { "magic_\(number)" }
}
