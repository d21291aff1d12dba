import Dispatch
import MagicEngine
import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// The attempts of one call: how often it runs again after an error, and how long it waits before.
struct Retries {
  /// The mode of the next attempt.
  private(set) var mode: WriteMode
  /// Whether the body of the call may run again.
  private let isRepeatable: Bool
  private let end: UInt64
  private var conflicts = 0
  private var losses = 0
  private var hasChangedServer = false
  private var updates = 0

  /// The number of conflicts after which a transaction runs alone.
  private static let concurrentLimit = 5
  /// The number of conflicts after which a call fails. A transaction that runs alone conflicts only
  /// with statements that do not use this library.
  private static let limit = 10

  init(_ settings: PostgreSQLSettings, _ mode: WriteMode = .concurrent, isRepeatable: Bool = true) {
    self.mode = mode
    self.isRepeatable = isRepeatable
    end = DispatchTime.now().uptimeNanoseconds + settings.reconnectNanoseconds
  }

  /// Whether a read runs in the transaction that updates the search indexes, because rows have changed again
  /// between an update and its search.
  var readsAlone: Bool { updates > 1 }

  /// Records that search indexes were updated.
  mutating func noteUpdate() { updates += 1 }

  /// Returns the time before the next attempt, in nanoseconds.
  ///
  /// - Throws: the error, if there is no other attempt.
  mutating func delay(after error: any Error) throws -> UInt64 {
    var error = error
    var mayRepeat = isRepeatable
    if let notBegun = error as? NotBegun {
      error = notBegun.cause
      mayRepeat = true
    }
    guard mayRepeat, let cause = (error as? MagicError)?.cause as? PostgreSQLError,
      let delay = delay(after: cause, hasProperty: (error as? MagicError)?.property != nil)
    else { throw error }
    return delay
  }

  private mutating func delay(after error: PostgreSQLError, hasProperty: Bool) -> UInt64? {
    if error.kind == .connectionLost || error.kind == .cannotConnect {
      guard DispatchTime.now().uptimeNanoseconds < end else { return nil }
      losses += 1
      return losses == 1 ? 0 : min(500, 5 << UInt64(min(losses, 10))) * 1_000_000
    }
    switch error.sqlState {
    case "40001", "40P01":
      conflicts += 1
      guard conflicts < Self.limit else { return nil }
      if conflicts >= Self.concurrentLimit { mode = .exclusive }
      return UInt64.random(in: 0..<(500_000 << UInt64(conflicts)))
    case "23503", "23505":
      // A conflict can appear as the violation of a key, and a violation of the same key may also be
      // real: a transaction that runs alone distinguishes them. The program has chosen the values of a
      // property, so that its violation is real.
      guard mode == .concurrent, error.sqlState == "23503" || !hasProperty else { return nil }
      mode = .exclusive
      return 0
    case "25006":
      // Another server may have taken over.
      guard !hasChangedServer else { return nil }
      hasChangedServer = true
      return 0
    default: return nil
    }
  }
}

/// An error before the body of a transaction has run.
struct NotBegun: Error {
  let cause: any Error
}
