import MagicRelations
import MagicStore

/// Edits of an instance of a bag, and the expected result.
struct BagEditing {
  let bag: Bag
  /// The row of the instance when it was fetched.
  let loaded: World.BagRow
  /// The expected row after the save, if there are no other writes.
  var expected: World.BagRow {
    var row = edited
    func mark(_ key: Int64) -> Int64 {
      key < 0 ? newMarks[Int(-key) - 1].zIndex?.rawValue ?? key : key
    }
    row.list = row.list.map(mark)
    row.ranked = row.ranked.map(mark)
    row.group = Set(row.group.map(mark))
    row.parts = row.parts.map { $0 < 0 ? newParts[Int(-$0) - 1].zIndex?.rawValue ?? $0 : $0 }
    return row
  }
  /// The edited row. New members have no row ID before they are saved; a negative number replaces
  /// it.
  private var edited: World.BagRow
  /// The properties that were set, even to an equal value.
  private var isSet = (number: false, one: false, next: false)
  private let marks: [Mark]
  private let entries: [Entry]
  private let bags: [Bag]
  private let parts: [Part]
  /// Whether parts may be taken from other bags.
  private let takesParts: Bool
  private var newMarks: [Mark] = []
  private var newParts: [Part] = []

  init<Writer: MagicDatabaseWriter>(
    _ bag: Bag, _ row: World.BagRow, _ world: World, _ writer: Writer, takesParts: Bool = false
  ) throws {
    self.takesParts = takesParts
    parts = takesParts ? try writer.object(of: Part.self) : []
    self.bag = bag
    loaded = row
    edited = row
    marks = try writer.object(of: Mark.self)
    entries = try writer.object(of: Entry.self)
    bags = try writer.object(of: Bag.self)
  }

  mutating func apply(
    count: Int, _ input: inout ByteReader, _ history: inout [String]
  ) throws {
    for _ in 0..<count {
      let (kind, choice) = (input.number(below: 12), input.number(below: 256))
      history.append("edit \(kind) \(choice)")
      apply(kind, choice)
    }
  }

  private mutating func apply(_ kind: Int, _ choice: Int) {
    switch kind {
    case 0:
      bag.number = choice
      edited.number = choice
      isSet.number = true
    case 1:
      bag.one = some(entries, choice)
      edited.one = bag.one?.zIndex?.rawValue
      isSet.one = true
    case 2:
      bag.next = some(bags, choice)
      edited.next = bag.next?.zIndex?.rawValue
      isSet.next = true
    case 3:
      let (mark, key) = someMark(choice)
      bag.list.append(mark)
      edited.list.append(key)
      bag.ranked.append(mark)
      edited.ranked.append(key)
    case 4:
      let (mark, key) = someMark(choice / 4)
      let place = choice % (edited.list.count + 1)
      bag.list.insert(mark, at: place)
      edited.list.insert(key, at: place)
      let rank = choice % (edited.ranked.count + 1)
      bag.ranked.insert(mark, at: rank)
      edited.ranked.insert(key, at: rank)
    case 5 where !edited.list.isEmpty:
      let place = choice % edited.list.count
      bag.list.remove(at: place)
      edited.list.remove(at: place)
      guard !edited.ranked.isEmpty else { return }
      let rank = choice % edited.ranked.count
      bag.ranked.remove(at: rank)
      edited.ranked.remove(at: rank)
    case 6 where edited.list.count > 1:
      let (first, second) = (choice % edited.list.count, choice / 7 % edited.list.count)
      bag.list.swapAt(first, second)
      edited.list.swapAt(first, second)
      guard edited.ranked.count > 1 else { return }
      let (one, other) = (choice % edited.ranked.count, choice / 7 % edited.ranked.count)
      bag.ranked.swapAt(one, other)
      edited.ranked.swapAt(one, other)
    case 7:
      let (mark, key) = someMark(choice)
      bag.group.insert(mark)
      edited.group.insert(key)
    case 8:
      if let mark = some(marks, choice) {
        bag.group.remove(mark)
        edited.group.remove(mark.zIndex?.rawValue ?? 0)
      }
    case 9, 10:
      let key = "k\(choice % 4)"
      let entry = some(entries, choice / 4)
      bag.named[key] = entry
      edited.named[key] = entry?.zIndex?.rawValue
    case 11 where choice % 3 == 0 && !edited.parts.isEmpty:
      bag.parts.removeLast()
      edited.parts.removeLast()
    case 11 where takesParts && choice % 3 == 1 && !parts.isEmpty:
      let part = parts[choice / 3 % parts.count]
      let key = part.zIndex?.rawValue ?? 0
      guard !edited.parts.contains(key) else { return }
      let place = choice % (edited.parts.count + 1)
      bag.parts.insert(part, at: place)
      edited.parts.insert(key, at: place)
    case 11:
      let part = Part(choice)
      newParts.append(part)
      bag.parts.append(part)
      edited.parts.append(Int64(-newParts.count))
    default: break
    }
  }

  /// One of the models, or nil.
  private func some<Model>(_ models: [Model], _ choice: Int) -> Model? {
    let place = choice % (models.count + 1)
    return place < models.count ? models[place] : nil
  }

  private mutating func someMark(_ choice: Int) -> (Mark, Int64) {
    if let mark = some(marks, choice) { return (mark, mark.zIndex?.rawValue ?? 0) }
    let mark = Mark(choice)
    newMarks.append(mark)
    return (mark, Int64(-newMarks.count))
  }

  /// Records the members that were inserted with the owner, which excludes members removed before
  /// the save.
  func noteNewRows(in world: inout World) {
    for mark in newMarks {
      if let zIndex = mark.zIndex?.rawValue { world.marks[zIndex] = mark.number }
    }
    for part in newParts {
      if let zIndex = part.zIndex?.rawValue { world.parts[zIndex] = part.number }
    }
  }

  /// The expected row if another instance has changed it since this one was fetched: the save
  /// writes only the changes of this instance. Lists are excluded.
  func merged(into row: World.BagRow) -> World.BagRow {
    let own = expected
    var merged = row
    if isSet.number { merged.number = own.number }
    if isSet.one { merged.one = own.one }
    if isSet.next { merged.next = own.next }
    merged.group.subtract(loaded.group.subtracting(own.group))
    merged.group.formUnion(own.group.subtracting(loaded.group))
    for key in Set(loaded.named.keys).union(own.named.keys)
    where own.named[key] != loaded.named[key] {
      merged.named[key] = own.named[key]
    }
    return merged
  }

  /// - Throws: `Finding` if a list lacks a member that was added, or that was not removed.
  func expectNothingLost(
    _ list: KeyPath<World.BagRow, [Int64]>, _ other: World.BagRow, _ actual: World.BagRow
  ) throws {
    let (own, loaded) = (expected[keyPath: list], loaded[keyPath: list])
    let (other, actual) = (other[keyPath: list], actual[keyPath: list])
    func count(_ key: Int64, _ list: [Int64]) -> Int { list.count { $0 == key } }
    for key in Set(own + loaded + other + actual) {
      let (mine, theirs, before) = (count(key, own), count(key, other), count(key, loaded))
      let now = count(key, actual)
      let added = max(0, mine - before) + max(0, theirs - before)
      let removed = max(0, before - mine) + max(0, before - theirs)
      guard now >= max(0, before - removed) + added - (removed > 0 ? added : 0),
        now <= mine + theirs
      else { throw Finding("row \(key) is \(now) times in a list of two: \(own), \(other)") }
    }
    guard own != loaded || actual == other else {
      throw Finding("a list that was not changed has become \(actual)")
    }
  }
}
