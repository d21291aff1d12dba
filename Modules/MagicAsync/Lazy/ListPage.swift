import MagicEngine

/// One page of a list: its start position, and the links that it takes. A link is a member of the
/// list and its position, see ``ListPlace``.
///
/// A writer that finds no free position in a list moves some of its links to other positions, in
/// the same order. So a position alone does not identify the links that were read. However, if a
/// link is unmoved, all links that were read before it still precede it, and all links that were
/// read after it still follow it. The latter are pending: they are skipped when they are read
/// again.
///
/// If each of the last 65,536 links was moved or removed between two pages, and more than these
/// were read, the page finds its start by searching the list for a member that was read. In this
/// case members may be repeated or missed if the list contains that member twice, or if others
/// changed its order.
///
/// Links to the same member are distinguished only by their positions. If one of them is moved to
/// exactly the former position of another, that member is returned once too often or once too
/// rarely.
struct ListPage {
  /// The number of links that are read ahead of the page.
  static var aheadCount: Int { 32 }

  /// The position after which the page starts.
  let position: Int64
  private var end: ListEnd
  private var passed: [ListPlace] = []
  private var ahead: [ListPlace] = []
  private var takenCount = 0

  /// - Parameters:
  ///   - isUnmoved: returns whether a link still has its position.
  ///   - find: returns the nearest position of a link to the same member, or nil if there is none.
  init(
    behind known: ListEnd?, stands: (ListPlace) throws -> Bool,
    find: (ListPlace) throws -> Int64?
  ) rethrows {
    end = known ?? ListEnd()
    passed.reserveCapacity(MemberCursor.pageSize)
    guard let last = end.passed.last else {
      position = .min
      return
    }
    if try stands(last) {
      position = last.position
      try end.keepLimit(stands)
    } else if let next = end.ahead.first, try stands(next) {
      position = next.position - 1
      try end.keepLimit(stands)
    } else {
      position = try end.goBack(stands, find)
    }
  }

  /// The maximum number of links that the page reads.
  var linkCount: Int { MemberCursor.pageSize + Self.aheadCount + end.outstanding.count }

  /// Decides what the page does with a link. Called in the order of the list.
  mutating func use(of link: ListPlace) -> ListPlaceUse {
    guard takenCount < MemberCursor.pageSize else {
      ahead.append(link)
      return ahead.count < Self.aheadCount ? .pass : .stop
    }
    passed.append(link)
    if !end.outstanding.isEmpty, end.outstanding.take(link) { return .pass }
    takenCount += 1
    return .take
  }

  /// Returns the cursor for the next page, or nil if the list ends with this page.
  consuming func makeCursor() -> MemberCursor? {
    guard !ahead.isEmpty else { return nil }
    var end = end
    end.passed.append(passed)
    end.ahead = ahead
    return MemberCursor(end: .list(end))
  }
}

extension ListEnd {
  /// Finds a link that is unmoved. The links that were read after it become pending.
  ///
  /// - Returns: the position after which the page starts.
  fileprivate mutating func goBack(
    _ stands: (ListPlace) throws -> Bool, _ find: (ListPlace) throws -> Int64?
  ) rethrows -> Int64 {
    if outstanding.isEmpty {
      outstanding.end = try ahead.first(where: stands)
    } else {
      try keepLimit(stands)
    }
    if let count = try passed.countBehindStanding(stands) {
      leaveOutstanding(count)
      return passed.last?.position ?? .min
    }
    if passed.isWhole {
      leaveOutstanding(passed.count)
      return .min
    }
    if let found = try passed.newPosition(find) {
      leaveOutstanding(found.countBehind)
      return found.position
    }
    // They were removed. The remaining members follow the position that the first of them had.
    let first = passed.first?.position ?? .min
    leaveOutstanding(passed.count)
    return first == .min ? first : first - 1
  }

  /// Makes the last links pending.
  private mutating func leaveOutstanding(_ count: Int) {
    outstanding.makeRoom(for: count)
    passed.removeLast(count) { outstanding.insert($0.target) }
  }

  /// Removes the limit of the pending members if its link was moved.
  fileprivate mutating func keepLimit(_ stands: (ListPlace) throws -> Bool) rethrows {
    guard let limit = outstanding.end, try !outstanding.isEmpty && !stands(limit) else { return }
    outstanding.end = nil
  }
}
