import MagicQuery
import MagicRelations
import MagicStatements
import MagicStore

extension SequenceRun {
  func makeBag<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    history.append("make a bag")
    let bag = Bag(input.number(below: 256))
    var editing = try BagEditing(
      bag, World.BagRow(number: bag.number), world, writer, takesParts: true)
    try editing.apply(count: input.number(below: 6), &input, &history)
    let zIndex = try writer.update(bag).rawValue
    guard world.bags[zIndex] == nil else { throw Finding("row \(zIndex) existed already") }
    editing.noteNewRows(in: &world)
    world.takeParts(editing.expected.parts)
    world.bags[zIndex] = try Self.row(of: bag)
    guard world.bags[zIndex] == editing.expected else {
      throw Finding("a new bag shows \(try Self.row(of: bag)), not \(editing.expected)")
    }
  }

  /// The row ID of a chosen bag.
  private func someBag() -> Int64? {
    let rows = world.bags.keys.sorted()
    return rows.isEmpty ? nil : rows[input.number(below: rows.count)]
  }

  private func fetch<Writer: MagicDatabaseWriter>(
    _ zIndex: Int64, from writer: Writer, takesParts: Bool = false
  ) throws -> BagEditing {
    guard let bag = try writer.first(of: Bag.self, where: { $0.zIndex?.rawValue == zIndex }),
      let row = world.bags[zIndex]
    else { throw Finding("bag \(zIndex) is not found") }
    return try BagEditing(bag, row, world, writer, takesParts: takesParts)
  }

  func editBag<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard let zIndex = someBag() else { return }
    history.append("edit bag \(zIndex)")
    var editing = try fetch(zIndex, from: writer, takesParts: true)
    try editing.apply(count: 1 + input.number(below: 6), &input, &history)
    try writer.update(editing.bag)
    editing.noteNewRows(in: &world)
    world.takeParts(editing.expected.parts)
    world.bags[zIndex] = editing.expected
    if flaw == .losesLinks {
      try writer.sql(
        "DELETE FROM \"magic_Bag.list\" WHERE target = (SELECT max(target) FROM \"magic_Bag.list\")"
      ).run()
    }
  }

  /// Saves a bag that was fetched without its relationships: those that are set replace the stored
  /// ones, and the others are kept.
  func editBareBag<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard let zIndex = someBag() else { return }
    let (number, choice) = (input.number(below: 256), input.number(below: 64))
    history.append("edit bag \(zIndex) without its relationships: \(number) \(choice)")
    let bags = try writer.query(Bag.self).excluding(\.$one).excluding(\.$next)
      .excluding(\.$list).excluding(\.$group).excluding(\.$named).excluding(\.$parts).all()
    guard let bag = bags.first(where: { $0.zIndex?.rawValue == zIndex }),
      var row = world.bags[zIndex]
    else { throw Finding("bag \(zIndex) is not found") }
    bag.number = number
    row.number = number
    if choice & 1 != 0 { (bag.one, row.one) = (nil, nil) }
    if choice & 2 != 0 { (bag.next, row.next) = (bag, zIndex) }
    if choice & 4 != 0 { (bag.group, row.group) = ([], []) }
    if choice & 8 != 0 { (bag.named, row.named) = ([:], [:]) }
    if choice & 16 != 0 {
      bag.list = try writer.object(of: Mark.self)
      row.list = bag.list.compactMap { $0.zIndex?.rawValue }
    }
    try writer.update(bag)
    world.bags[zIndex] = row
    guard choice & 32 != 0 else { return }
    try writer.refresh(bag)
    guard try Self.row(of: bag) == row else {
      throw Finding("the refreshed bag is \(try Self.row(of: bag)), not \(row)")
    }
  }

  /// Edits two instances of one row, and saves one after the other: neither reverts the changes of
  /// the other.
  func editTwice<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard let zIndex = someBag() else { return }
    history.append("edit bag \(zIndex) twice")
    var first = try fetch(zIndex, from: writer)
    var second = try fetch(zIndex, from: writer)
    try first.apply(count: 1 + input.number(below: 4), &input, &history)
    history.append("and")
    try second.apply(count: 1 + input.number(below: 4), &input, &history)
    try writer.update(first.bag)
    first.noteNewRows(in: &world)
    try writer.update(second.bag)
    second.noteNewRows(in: &world)
    var row = second.merged(into: first.expected)
    // The members of a list with two edits are specified; their order is not.
    guard let now = try writer.first(of: Bag.self, where: { $0.zIndex?.rawValue == zIndex }) else {
      throw Finding("bag \(zIndex) no longer exists")
    }
    let actual = try Self.row(of: now)
    try second.expectNothingLost(\.list, first.expected, actual)
    try second.expectNothingLost(\.ranked, first.expected, actual)
    try second.expectNothingLost(\.parts, first.expected, actual)
    (row.list, row.ranked, row.parts) = (actual.list, actual.ranked, actual.parts)
    world.bags[zIndex] = row
  }

  func removeBag<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    guard let zIndex = someBag() else { return }
    history.append("remove bag \(zIndex)")
    try writer.remove(try fetch(zIndex, from: writer).bag)
    world.removeBag(zIndex)
  }
}
