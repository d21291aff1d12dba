/// What `update(_:ifMissing:)` does with an object that was fetched or saved before, if its row no
/// longer exists.
///
/// The policy applies to the objects that the call names. An object that they refer to is never
/// inserted again: the reference to it is deleted.
public enum MissingRowPolicy: Sendable {
  /// Throws `MagicError` with `.notFound`. Nothing is written.
  case fail
  /// Inserts the object with all its values. If its type has a primary, and another row has the
  /// value now, this row is updated.
  case insert
}
