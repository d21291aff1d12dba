package import MagicEngine

extension PostgreSQLDatabase {
  package var assets: (any AssetStore)? { assetStore }

  // MARK: Handles

  package func release() async {
    guard !lifecycle.isForked, context.leases.removeHandle(isClosing: true) else { return }
    await closeConnections()
  }

  package func releaseWithoutWaiting(isClosing: Bool) {
    guard !lifecycle.isForked, context.leases.removeHandle(isClosing: isClosing) else { return }
    closeConnectionsWithoutWaiting()
  }

  package func releaseLease() {
    guard !lifecycle.isForked, context.leases.removeLease() else { return }
    closeConnectionsWithoutWaiting()
  }

  /// Does nothing, because this engine holds no locks of files.
  package func suspend() {}
  package func resume() {}

  // MARK: Observers

  package func observe(_ observer: ChangeObserver, owner: ObjectIdentifier) {
    feed.add(observer, owner: owner)
    guard !lifecycle.isForked, let publisher = context.publisher else { return }
    // The publisher waits for the end of running transactions.
    publisher.start(canWait: (try? checkNotReentrant()) != nil)
  }
}
