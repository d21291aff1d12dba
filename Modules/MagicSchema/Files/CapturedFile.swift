/// What a property of files has at one moment, to be saved.
package struct CapturedFile {
  package enum State {
    /// Nothing was ever set, or nil.
    case unset
    /// A value without content, for which there is no file.
    case none
    case content(FileContent)
    /// It is neither in memory nor in a row that was fetched.
    case lost
  }

  package let state: State
  /// A note that the value was taken, to be taken back with the transaction.
  package let taking: SavedLink?
  /// Lets go of what is in memory, once the transaction has committed.
  package let settle: ((StoreKeeper?) -> Void)?

  init(
    _ state: State, taking: SavedLink? = nil, settle: ((StoreKeeper?) -> Void)? = nil
  ) {
    self.state = state
    self.taking = taking
    self.settle = settle
  }
}
