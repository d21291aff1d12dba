import MagicRuntime
import SQLiteChanges
import SQLiteFiles

/// The feeds of the files that are open in this process.
final class ChangeFeeds: @unchecked Sendable {
  static let shared = ChangeFeeds()

  private let lock = Lock.heldAcrossForks()
  private var feeds: [DatabaseFile.Identity: Weak] = [:]

  /// A class: a weak reference in a structure would be copied with it, also while its feed ends.
  private final class Weak {
    weak var feed: ChangeFeed?

    init(_ feed: ChangeFeed) { self.feed = feed }
  }

  /// The feed of a file.
  func feed(of file: DatabaseFile.Identity) -> ChangeFeed {
    lock.withLock {
      if let known = feeds[file]?.feed, !known.origin.isForked { return known }
      feeds = feeds.filter { $0.value.feed != nil }
      let feed = ChangeFeed()
      feeds[file] = Weak(feed)
      return feed
    }
  }
}
