import MagicEngine

/// The links of a list that its pages went past, in their order, where they were at that time. The
/// last 65,536 are kept: 1 MiB.
///
/// Links that were moved or removed since stay in here too: what is said of one that stands holds
/// whatever became of the others.
struct SeenLinks: Sendable {
  /// About how many are kept: whole pieces are given up.
  static var limit: Int { 65_536 }

  private static var pieceSize: Int { 512 }

  /// None is empty.
  private var pieces: [[ListPlace]] = []
  private(set) var count = 0
  /// Whether none was given up.
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

  /// How many links are behind one that stands; nil where none stands. The last does not.
  ///
  /// It need not be the last that stands: those that were moved together are beside each other, so
  /// one of the last two is asked, of the last four, and so on, and the others only where none of
  /// these stands.
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

  /// Where one of the last is now, by its target, and how many were behind it; nil where none of
  /// those that are asked is there.
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

  /// Takes the last ones out.
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
