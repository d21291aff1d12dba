import MagicSQLite

extension SharedStore {
  /// Looks whether another process has committed. While the writer is in use nobody needs to: it looks
  /// by itself when it begins, and no other process commits while it writes.
  func lookForForeignCommits() {
    guard !isClosed else { return }
    if let writer {
      guard let connection = try? writer.tryTake() else { return }
      connection.recorder?.lookForForeignCommits()
      writer.give(connection)
    } else if let lookOut, !feed.hasWriter, lookOut.hasNews() {
      // A store of this process that writes tells of its commits row by row, and looks for others.
      feed.publishExternal()
    }
  }

  /// Lets an observer hear of every commit from now on, until its handle is closed.
  func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    // What others have committed so far is not its concern.
    feed.lookForForeignCommits()
    feed.add(observer, owner: owner)
    if isShared { ForeignWatch.shared.wake() }
  }
}

extension ChangeFeed {
  /// Looks whether another process has committed, whichever store it is that can see it.
  func lookForForeignCommits() {
    for store in ForeignWatch.shared.stores(of: self) { store.lookForForeignCommits() }
  }

  /// A store that writes is open now, and looks from here on: what was committed before is told.
  func tellFromLookOuts() {
    if findNewsInLookOuts() { publishExternal() }
  }

  /// The store that writes is about to close, and looks once more after this: what was committed
  /// before is told.
  func noteInLookOuts() { _ = findNewsInLookOuts() }

  private func findNewsInLookOuts() -> Bool {
    guard hasObservers else { return false }
    var hasNews = false
    for store in ForeignWatch.shared.stores(of: self) where store.lookOut?.hasNews() ?? false {
      hasNews = true
    }
    return hasNews
  }
}
