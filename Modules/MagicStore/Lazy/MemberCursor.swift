/// How far the members of a collection were read: what the next page begins behind.
package struct MemberCursor: Sendable {
  /// A link of a list.
  struct Place: Equatable, Sendable {
    let position: Int64
    let target: Int64
  }

  enum End: Sendable {
    /// The links of a list that were read last, and those that follow them.
    case list(read: [Place], ahead: [Place])
    case set(last: Int64)
    case dictionary(last: QueryValue)
  }

  /// The most members that one page has.
  package static var pageSize: Int { 512 }

  /// How many of a list's links are looked at ahead of the page.
  static var aheadCount: Int { 32 }

  let end: End
}

/// Where a page of a list begins.
///
/// A writer that finds no room in a list gives some of its links other positions, in the same
/// order. So a position alone does not say what was read.
struct ListResumption {
  /// The page begins behind this position.
  let position: Int64
  /// Members that were read, and are there again if they were moved, in this order.
  private(set) var moved: ArraySlice<Int64>
  /// From here on nothing was read.
  private let limit: Int64

  /// - Parameter stands: whether a link is where it was.
  init(
    read: [MemberCursor.Place], ahead: [MemberCursor.Place],
    stands: (MemberCursor.Place) throws -> Bool
  ) rethrows {
    moved = []
    guard let last = read.last else {
      position = .min
      limit = .min
      return
    }
    if try stands(last) {
      position = last.position
      limit = .min
      return
    }
    let next = try ahead.firstIndex(where: stands)
    if next == 0 {
      position = ahead[0].position - 1
      limit = .min
      return
    }
    limit = next.map { ahead[$0].position } ?? .max
    if let index = try read.lastIndex(where: stands) {
      position = read[index].position
      moved = read[(index + 1)...].map(\.target)[...]
    } else {
      // Nothing that was read is there: what is left of the list is behind it.
      position = min(last.position, limit == .max ? .max : limit - 1)
    }
  }

  /// Whether a link was read before it was moved. Asked in the order of the list.
  mutating func hasRead(_ link: MemberCursor.Place) -> Bool {
    guard link.position < limit, let index = moved.firstIndex(of: link.target) else { return false }
    moved = moved[(index + 1)...]
    return true
  }
}
