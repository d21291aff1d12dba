import MagicEngine

/// One page of a list: its start position, and the entries that it returns. An entry is a member
/// and its position, see ``ListEntry``.
///
/// A writer that finds no free position in a list moves some of its entries to other positions, in
/// the same order. So a position alone does not identify the entries that were read. However, if
/// an entry is unmoved, all entries that were read before it still precede it, and all entries that
/// were read after it still follow it. The latter are pending: they are skipped when they are read
/// again.
///
/// Only the last 65,536 entries that were read are stored. If all of them were moved or removed
/// between two pages, and the list had more entries, the page finds its start by searching the list
/// for a member that was read. In this case members may be repeated or missed if the list contains
/// that member twice, or if another writer has changed the order of the list.
///
/// Entries of the same member are distinguished only by their positions. If one of them is moved to
/// the former position of another, one occurrence of that member is repeated or missed.
struct ListPage {
  /// The number of entries that are read ahead of the page.
  static var aheadCount: Int { 32 }

  /// The position after which the page starts.
  let position: Int64
  private var end: ListEnd
  private var seen: [ListEntry] = []
  private var ahead: [ListEntry] = []
  private var takenCount = 0

  /// - Parameters:
  ///   - isUnmoved: returns whether an entry still has its position.
  ///   - find: returns the nearest position of an entry to the same member, or nil if there is
  ///     none.
  init(
    after known: ListEnd?, isUnmoved: (ListEntry) throws -> Bool,
    find: (ListEntry) throws -> Int64?
  ) rethrows {
    end = known ?? ListEnd()
    seen.reserveCapacity(MemberCursor.pageSize)
    guard let last = end.seen.last else {
      position = .min
      return
    }
    if try isUnmoved(last) {
      position = last.position
      try end.removeMovedLimit(isUnmoved)
    } else if let next = end.ahead.first, try isUnmoved(next) {
      position = next.position - 1
      try end.removeMovedLimit(isUnmoved)
    } else {
      position = try end.findStart(isUnmoved, find)
    }
  }

  /// The maximum number of entries that the page reads.
  var entryCount: Int { MemberCursor.pageSize + Self.aheadCount + end.pending.count }

  /// Decides what the page does with an entry. Called in the order of the list.
  mutating func use(of entry: ListEntry) -> ListEntryUse {
    guard takenCount < MemberCursor.pageSize else {
      ahead.append(entry)
      return ahead.count < Self.aheadCount ? .pass : .stop
    }
    seen.append(entry)
    if !end.pending.isEmpty, end.pending.take(entry) { return .pass }
    takenCount += 1
    return .take
  }

  /// Returns the cursor for the next page, or nil if the list ends with this page.
  consuming func makeCursor() -> MemberCursor? {
    guard !ahead.isEmpty else { return nil }
    var end = end
    end.seen.append(seen)
    end.ahead = ahead
    return MemberCursor(end: .list(end))
  }
}

extension ListEnd {
  /// Finds an entry that is unmoved. The entries that were read after it become pending.
  ///
  /// - Returns: the position after which the page starts.
  fileprivate mutating func findStart(
    _ isUnmoved: (ListEntry) throws -> Bool, _ find: (ListEntry) throws -> Int64?
  ) rethrows -> Int64 {
    if pending.isEmpty {
      pending.end = try ahead.first(where: isUnmoved)
    } else {
      try removeMovedLimit(isUnmoved)
    }
    if let count = try seen.countAfterUnmoved(isUnmoved) {
      makePending(count)
      return seen.last?.position ?? .min
    }
    if seen.isComplete {
      makePending(seen.count)
      return .min
    }
    if let found = try seen.newPosition(find) {
      makePending(found.countAfter)
      return found.position
    }
    // The members of the tested entries are not in the list any more. The remaining members follow
    // the former position of the first stored entry.
    let first = seen.first?.position ?? .min
    makePending(seen.count)
    return first == .min ? first : first - 1
  }

  /// Makes the last entries pending.
  private mutating func makePending(_ count: Int) {
    pending.makeRoom(for: count)
    seen.removeLast(count) { pending.insert($0.target) }
  }

  /// Removes the limit of the pending members if its entry was moved.
  fileprivate mutating func removeMovedLimit(_ isUnmoved: (ListEntry) throws -> Bool) rethrows {
    guard let limit = pending.end, try !pending.isEmpty && !isUnmoved(limit) else { return }
    pending.end = nil
  }
}
