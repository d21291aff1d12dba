import MagicEngine

/// The links of a list that its pages have read, in order, with their positions at that time. The
/// last 65,536 links are kept: 1 MiB.
///
/// Links that were moved or removed since then are kept too. An unmoved link remains a valid
/// anchor, whatever happened to the other links.
struct SeenLinks: Sendable {
  /// The approximate maximum number of links. Whole chunks are discarded.
  static var limit: Int { 65_536 }

  private static var pieceSize: Int { 512 }

  /// Every chunk is nonempty.
  private var pieces: [[ListPlace]] = []
  private(set) var count = 0
  /// Whether no chunk was discarded.
  private(set) var isWhole = true

  var first: ListPlace? { pieces.first?.first }
  var last: ListPlace? { pieces.last?.last }

  mutating func append(_ links: [ListPlace]) {
    if links.count <= Self.pieceSize {
      if !links.isEmpty { pieces.append(links) }
    } else {
      for start in stride(from: 0, to: links.count, by: Self.pieceSize) {
        pieces.append(Array(links[start...].prefix(Self.pieceSize)))
      }
    }
    count += links.count
    var givenUp = 0
    while count > Self.limit, givenUp < pieces.count - 1 {
      count -= pieces[givenUp].count
      givenUp += 1
    }
    guard givenUp > 0 else { return }
    pieces.removeFirst(givenUp)
    isWhole = false
  }

  /// Returns the number of links after an unmoved link, or nil if all links were moved. The last
  /// link is known to be moved.
  ///
  /// The result need not be for the last unmoved link. Links that are moved together are adjacent,
  /// so the search first tests the links at distances 2, 4, 8, … from the end, and tests all others
  /// only if these were all moved.
  func countBehindStanding(_ stands: (ListPlace) throws -> Bool) rethrows -> Int? {
    var step = 2
    while step < count {
      if try stands(self[fromEnd: step - 1]) { return step - 1 }
      step *= 2
    }
    if let first, try stands(first) { return count - 1 }
    var behind = 0
    for piece in pieces.reversed() {
      if let index = try piece.lastIndex(where: stands) {
        return behind + piece.count - 1 - index
      }
      behind += piece.count
    }
    return nil
  }

  /// Returns the current position of a link to the member of one of the last links, and the number
  /// of links after that link. Nil if none of the tested members is in the list.
  func newPosition(
    _ find: (ListPlace) throws -> Int64?
  ) rethrows -> (position: Int64, countBehind: Int)? {
    var step = 1
    while step <= count {
      if let position = try find(self[fromEnd: step - 1]) { return (position, step - 1) }
      step *= 2
    }
    return nil
  }

  /// Removes the last links, and passes them to the closure.
  mutating func removeLast(_ number: Int, _ take: (ListPlace) -> Void) {
    var rest = min(number, count)
    count -= rest
    while rest > 0, let piece = pieces.popLast() {
      piece.suffix(rest).forEach(take)
      if piece.count > rest { pieces.append(piece.dropLast(rest)) }
      rest -= min(rest, piece.count)
    }
  }

  private subscript(fromEnd distance: Int) -> ListPlace {
    var rest = distance
    var index = pieces.count - 1
    while rest >= pieces[index].count {
      rest -= pieces[index].count
      index -= 1
    }
    return pieces[index][pieces[index].count - 1 - rest]
  }
}
