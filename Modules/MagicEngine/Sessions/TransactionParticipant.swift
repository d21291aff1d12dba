/// What takes part in the outcome of a transaction. It is told once, by whichever thread commits or rolls
/// back, and then released by the engine: the two keep each other until then.
package protocol TransactionParticipant: AnyObject {
  /// The transaction was committed.
  func didCommit()

  /// The transaction was rolled back.
  func didRollBack()
}
