/// An object that is notified of the outcome of a transaction. It is notified once, by the thread
/// that commits or rolls back. The engine then releases it. Until then there is a retain cycle
/// between the two.
package protocol TransactionParticipant: AnyObject {
  /// The transaction was committed.
  func didCommit()

  /// The transaction was rolled back.
  func didRollBack()
}
