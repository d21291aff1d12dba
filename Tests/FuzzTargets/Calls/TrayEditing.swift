import MagicAsync
import MagicQuery
import MagicRelations
import MagicStore

/// Edits of the lazy collections of a tray, and the expected results.
struct TrayEditing {
  let tray: Tray
  /// The expected row after the save. A negative number replaces the row ID of a new mark.
  private var saved: World.TrayRow
  /// What reads return before the save. They keep new marks, which no condition removes before.
  private var read: World.TrayRow
  private let marks: [Mark]
  private let entries: [Entry]
  private(set) var newMarks: [Mark] = []

  init<Writer: MagicDatabaseWriter>(
    _ tray: Tray, _ row: World.TrayRow, _ writer: Writer
  ) throws {
    self.tray = tray
    (saved, read) = (row, row)
    marks = try writer.object(of: Mark.self)
    entries = try writer.object(of: Entry.self)
  }

  mutating func apply(_ kind: Int, _ choice: Int) throws {
    switch kind {
    case 0, 1:
      let (mark, key) = someMark(choice)
      tray.list.append(mark)
      change { $0.list.append(key) }
    case 2:
      let (first, second) = (someMark(choice), someMark(choice / 3))
      tray.list.append(contentsOf: [first.0, second.0])
      change { $0.list += [first.1, second.1] }
    case 3:
      let (mark, key) = someMark(choice)
      tray.list.remove(mark)
      change { $0.list.removeAll { $0 == key } }
    case 4:
      let (mark, key) = someMark(choice)
      tray.group.insert(mark)
      change { $0.group.insert(key) }
    case 5:
      let (mark, key) = someMark(choice)
      tray.group.remove(mark)
      change { $0.group.remove(key) }
    case 6 where !entries.isEmpty:
      let entry = entries[choice / 4 % entries.count]
      tray.named.updateValue(entry, forKey: "k\(choice % 4)")
      change { $0.named["k\(choice % 4)"] = entry.zIndex?.rawValue }
    case 7:
      tray.named.removeValue(forKey: "k\(choice % 4)")
      change { $0.named["k\(choice % 4)"] = nil }
    case 8: try removeMatching(choice)
    case 9 where choice < 64:
      tray.list.removeAll()
      change { $0.list = [] }
    case 9 where choice < 128:
      tray.group.removeAll()
      change { $0.group = [] }
    case 9 where choice < 160:
      tray.named.removeAll()
      change { $0.named = [:] }
    default: break
    }
  }

  private mutating func removeMatching(_ limit: Int) throws {
    if limit % 3 == 0 {
      try tray.named.removeAll { $0.$number < limit }
      let removed = Set(entries.filter { $0.number < limit }.map { $0.zIndex?.rawValue })
      change { $0.named = $0.named.filter { !removed.contains($0.value) } }
      return
    }
    try tray.list.removeAll { $0.$number < limit }
    try tray.group.removeAll { $0.$number >= limit }
    let numbers = numbers
    saved.list.removeAll { numbers[$0, default: 0] < limit }
    saved.group = saved.group.filter { numbers[$0, default: 0] < limit }
    read.list.removeAll { $0 > 0 && numbers[$0, default: 0] < limit }
    read.group = read.group.filter { $0 < 0 || numbers[$0, default: 0] < limit }
  }

  /// The numbers of the marks by their keys.
  private var numbers: [Int64: Int] {
    var numbers: [Int64: Int] = [:]
    for mark in marks { numbers[mark.zIndex?.rawValue ?? 0] = mark.number }
    for (place, mark) in newMarks.enumerated() { numbers[Int64(-place - 1)] = mark.number }
    return numbers
  }

  private mutating func change(_ body: (inout World.TrayRow) -> Void) {
    body(&saved)
    body(&read)
  }

  /// A stored or new mark, and its key.
  private mutating func someMark(_ choice: Int) -> (Mark, Int64) {
    let place = choice % (marks.count + newMarks.count + 1)
    if place < marks.count { return (marks[place], marks[place].zIndex?.rawValue ?? 0) }
    if place == marks.count + newMarks.count { newMarks.append(Mark(choice)) }
    return (newMarks[place - marks.count], Int64(marks.count - place - 1))
  }

  /// - Throws: `Finding` if the reads differ from what is expected before the save.
  func expectReads(in writer: some MagicDatabaseWriter) throws {
    let list = try tray.list.get(in: writer).map(\.number)
    let expected = read.list.map { numbers[$0] ?? -1 }
    guard list == expected else { throw Finding("the list is \(list), not \(expected)") }
    let group = try tray.group.get(in: writer).map(\.number).sorted()
    let wanted = read.group.map { numbers[$0] ?? -1 }.sorted()
    guard group == wanted else { throw Finding("the set is \(group), not \(wanted)") }
    let named = try tray.named.get(in: writer).mapValues { $0.zIndex?.rawValue ?? 0 }
    guard named == read.named else { throw Finding("\(named) instead of \(read.named)") }
    let counts = [
      try tray.list.count(in: writer), try tray.group.count(in: writer),
      try tray.named.count(in: writer),
    ]
    guard counts == [expected.count, wanted.count, named.count] else {
      throw Finding("the counts are \(counts)")
    }
    for key in ["k0", "k1", "k2", "k3"] {
      let found = try tray.named.value(forKey: key, in: writer)?.zIndex?.rawValue
      guard found == named[key] else { throw Finding("\(key) is \(found as Any)") }
    }
    for mark in marks.prefix(3) {
      let key = mark.zIndex?.rawValue ?? 0
      guard try tray.list.contains(mark, in: writer) == read.list.contains(key),
        try tray.group.contains(mark, in: writer) == read.group.contains(key)
      else { throw Finding("contains is wrong for mark \(key)") }
    }
  }

  /// The expected row after the save.
  var expected: World.TrayRow {
    func key(_ key: Int64) -> Int64 {
      key < 0 ? newMarks[Int(-key) - 1].zIndex?.rawValue ?? key : key
    }
    return World.TrayRow(
      list: saved.list.map(key), group: Set(saved.group.map(key)), named: saved.named)
  }
}
