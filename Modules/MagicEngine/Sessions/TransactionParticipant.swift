/// What takes part in the outcome of a transaction.
package protocol TransactionParticipant: AnyObject {
  /// The transaction was committed.
  func didCommit()

  /// The transaction was rolled back.
  func didRollBack()
}
