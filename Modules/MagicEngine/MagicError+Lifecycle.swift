package import MagicSchema

/// The errors for a database that does not accept calls.
extension MagicError {
  package static func closed() -> MagicError { MagicError(.closed, "The database was closed.") }

  package static func suspended() -> MagicError {
    MagicError(.suspended, "The database is suspended. Call resume() first.")
  }

  package static func forked() -> MagicError {
    MagicError(
      .forked,
      "The database was opened before this process was forked. Only the parent process may use it. "
        + "A program that the child executes can open it again.")
  }

  /// The error for a write to a file in which damage was found before.
  package static func damaged() -> MagicError {
    MagicError(
      .corrupt, "The database file is damaged. Writes are refused until it is opened again.")
  }

  package static func readOnly() -> MagicError {
    MagicError(.readOnly, "The database was opened read-only. Open it without readOnly to write.")
  }
}
