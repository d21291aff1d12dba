import MagicQuery
import MagicStore

extension SequenceRun {
  /// A place in an order of the entries, after an entry that may be changed or deleted since.
  struct PagePlace {
    let cursor: MagicCursor
    let zIndex: Int64
    let row: World.EntryRow
  }

  /// Reads the page at the place where an earlier page ended, which later writes do not move. Reads no
  /// byte of the input, so that stored inputs keep their meaning.
  func readPage<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    let (order, limit) = (history.count % 3, 1 + history.count % 4)
    let isBackward = history.count.isMultiple(of: 5)
    let start = places[order]
    history.append("page \(order)\(start.map { " from \($0.row.id)" } ?? "")")
    let query = Self.query(writer, order)
    let page =
      try isBackward
      ? query.page(before: start?.cursor, limit: limit)
      : query.page(after: start?.cursor, limit: limit)
    let rows = world.entries.map { (zIndex: $0.key, row: $0.value) }
      .sorted { Self.precedes($0, $1, order) }
    let side = rows.filter { row in
      guard let start else { return true }
      return Self.precedes((start.zIndex, start.row), row, order) != isBackward
    }
    let expected = Array(isBackward ? side.suffix(limit) : side.prefix(limit))
    let found = page.objects.map { $0.zIndex?.rawValue ?? 0 }
    guard found == expected.map(\.zIndex) else {
      throw Finding("a page has the rows \(found), not \(expected.map(\.zIndex))")
    }
    guard ((isBackward ? page.previous : page.next) != nil) == (side.count > limit) else {
      throw Finding("a page of \(limit) of \(side.count) rows ends with the wrong cursor")
    }
    guard !isBackward else { return }
    places[order] = page.next.flatMap { cursor in
      expected.last.map { PagePlace(cursor: cursor, zIndex: $0.zIndex, row: $0.row) }
    }
  }

  private static func query<Writer: MagicDatabaseWriter>(
    _ writer: Writer, _ order: Int
  ) -> MagicQuery<Entry, Writer> {
    let entries = writer.query(Entry.self)
    return switch order {
    case 0: entries.order(by: \.$number)
    case 1: entries.order(by: \.$number, .descending)
    default: entries.order(by: \.$note, .descending).order(by: \.$number)
    }
  }

  private static func precedes(
    _ left: (zIndex: Int64, row: World.EntryRow), _ right: (zIndex: Int64, row: World.EntryRow),
    _ order: Int
  ) -> Bool {
    if order == 2, left.row.note != right.row.note {
      guard let first = left.row.note else { return false }
      return right.row.note.map { first > $0 } ?? true
    }
    if left.row.number != right.row.number {
      return (left.row.number < right.row.number) == (order != 1)
    }
    return left.zIndex < right.zIndex
  }
}
