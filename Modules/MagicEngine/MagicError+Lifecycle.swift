package import MagicSchema

/// The errors for a database that does not accept calls.
extension MagicError {
  package static func closed() -> MagicError { MagicError(.closed, "The database was closed.") }

  package static func suspended() -> MagicError {
    MagicError(.suspended, "The database is suspended, until it is resumed.")
  }

  package static func forked() -> MagicError {
    MagicError(
      .forked,
      "The database was opened before this process was forked: it belongs to the parent. A program that "
        + "the child runs instead opens it again.")
  }

  /// The error for a write to a file in which damage was found before.
  package static func damaged() -> MagicError {
    MagicError(
      .corrupt, "The database file is damaged, and is not written until it is opened again.")
  }

  package static func readOnly() -> MagicError {
    MagicError(.readOnly, "The database was opened for reading alone.")
  }
}
