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
    } else if let lookOut, lookOut.hasNews(), !feed.hasWriter {
      // A store of this process that writes tells of its commits row by row, and looks for others.
      feed.publishExternal()
    }
  }

  /// Lets an observer hear of every commit from now on, until its handle is closed.
  func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    // What others have committed so far is not its concern.
    lookForForeignCommits()
    feed.add(observer, owner: owner)
    if isShared { ForeignWatch.shared.wake() }
  }
}
