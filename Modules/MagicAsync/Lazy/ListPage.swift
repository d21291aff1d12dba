import MagicEngine

/// One page of a list: where it begins, and which of the links that follow it takes.
///
/// A writer that finds no room in a list gives some of its links other positions, in the same
/// order. So a position alone does not say what was read. But whatever was passed before a link that
/// stands where it was is in front of it still, and what was passed behind it is behind it: those
/// are the members to be passed over where they come again.
///
/// Where of the last 65,536 links that were passed each was moved or removed between two pages, and
/// there were more, a member that was read is looked for in the list. Then members may come again or
/// be missed if the list has that one twice, or others gave it another place among the members.
///
/// Links to one member are told from each other by their positions alone. Where one is moved to the
/// very position that another had, that member comes once more or less.
struct ListPage {
  /// How many links are looked at ahead of the page.
  static var aheadCount: Int { 32 }

  /// The page begins behind this position.
  let position: Int64
  private var end: ListEnd
  private var passed: [ListPlace] = []
  private var ahead: [ListPlace] = []
  private var takenCount = 0

  /// - Parameters:
  ///   - stands: whether a link is where it was.
  ///   - find: where the nearest link to the same member is; nil where there is none.
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

  /// The most links that the page has to look at.
  var linkCount: Int { MemberCursor.pageSize + Self.aheadCount + end.outstanding.count }

  /// What a link is to the page. Asked in the order of the list.
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

  /// Nil where the list ends with the page.
  consuming func makeCursor() -> MemberCursor? {
    guard !ahead.isEmpty else { return nil }
    var end = end
    end.passed.append(passed)
    end.ahead = ahead
    return MemberCursor(end: .list(end))
  }
}

extension ListEnd {
  /// Goes back to a link that stands: what was passed behind it becomes outstanding.
  ///
  /// - Returns: the position to go on behind.
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
    // They were removed: what is left is behind the place where they were.
    let first = passed.first?.position ?? .min
    leaveOutstanding(passed.count)
    return first == .min ? first : first - 1
  }

  /// The last that were passed are to be passed again.
  private mutating func leaveOutstanding(_ count: Int) {
    outstanding.makeRoom(for: count)
    passed.removeLast(count) { outstanding.insert($0.target) }
  }

  /// The limit of what is outstanding is one as long as it stands.
  fileprivate mutating func keepLimit(_ stands: (ListPlace) throws -> Bool) rethrows {
    guard let limit = outstanding.end, try !outstanding.isEmpty && !stands(limit) else { return }
    outstanding.end = nil
  }
}
