package import MagicSchema

/// The state of a database, which determines the calls that it accepts.
package enum StoreState: Sendable {
  /// Reads and writes are accepted.
  case open
  /// The engine found damage in the file. Only reads are accepted.
  case damaged
  /// Calls are refused. The running calls have not ended yet.
  case suspending
  /// Calls are refused, no call is running, and no lock is held on the files.
  case suspended
  /// Calls are refused. Each connection is closed when the call that is running on it has ended.
  case closed
  /// Calls are refused, because the database belongs to the parent process of this forked process.
  case forked

  /// The error that a call throws, or nil if calls are accepted.
  package var refusal: MagicError? {
    switch self {
    case .open, .damaged: nil
    case .suspending, .suspended: .suspended()
    case .closed: .closed()
    case .forked: .forked()
    }
  }
}
