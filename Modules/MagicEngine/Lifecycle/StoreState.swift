package import MagicSchema

/// What calls a database admits.
package enum StoreState: Sendable {
  /// It is read and written.
  case open
  /// The engine has found damage in the file: it is only read.
  case damaged
  /// No call is admitted, and those that run are being ended.
  case suspending
  /// No call runs, and no lock is held on the files.
  case suspended
  /// No call is admitted; each connection is closed when the call that runs on it has ended.
  case closed
  /// The database belongs to the process that this one was forked from.
  case forked

  /// What a call gets; nil where it is admitted.
  package var refusal: MagicError? {
    switch self {
    case .open, .damaged: nil
    case .suspending, .suspended: .suspended()
    case .closed: .closed()
    case .forked: .forked()
    }
  }
}
