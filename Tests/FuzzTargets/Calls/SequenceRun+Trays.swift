import MagicAsync
import MagicRecords
import MagicRelations
import MagicStore

/// Edits of lazy collections and of inverse relationships.
extension SequenceRun {
  /// A chosen tray, or a new one.
  private func someTray<Writer: MagicDatabaseWriter>(in writer: Writer) throws -> Int64 {
    let rows = world.trays.keys.sorted()
    let place = input.number(below: 3)
    if place < rows.count { return rows[place] }
    history.append("make a tray")
    let zIndex = try writer.update(Tray()).rawValue
    world.trays[zIndex] = World.TrayRow()
    return zIndex
  }

  private func tray(_ zIndex: Int64, from reader: some MagicDatabaseReader) throws -> Tray {
    guard let tray = try reader.first(of: Tray.self, where: { $0.zIndex?.rawValue == zIndex })
    else { throw Finding("tray \(zIndex) is not found") }
    return tray
  }

  func editTray<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let zIndex = try someTray(in: writer)
    history.append("edit tray \(zIndex)")
    let tray = try tray(zIndex, from: writer)
    var editing = try TrayEditing(tray, world.trays[zIndex] ?? World.TrayRow(), writer)
    for _ in 0..<1 + input.number(below: 8) {
      let (kind, choice) = (input.number(below: 10), input.number(below: 256))
      history.append("edit \(kind) \(choice)")
      try editing.apply(kind, choice)
    }
    try editing.expectReads(in: writer)
    if input.number(below: 8) == 0 {
      history.append("revert")
      tray.revert()
      guard try Self.row(of: tray, in: writer) == world.trays[zIndex] else {
        throw Finding("a reverted tray has edits")
      }
      return
    }
    try writer.update(tray)
    note(editing.newMarks)
    world.trays[zIndex] = editing.expected
    guard try Self.row(of: tray, in: writer) == editing.expected else {
      throw Finding("a saved tray differs from \(editing.expected)")
    }
  }

  /// Adds marks that were saved.
  private func note(_ marks: [Mark]) {
    for mark in marks {
      if let zIndex = mark.zIndex?.rawValue { world.marks[zIndex] = mark.number }
    }
  }

  /// Adds a stored or new mark to bags and trays through its inverse relationships, or removes it.
  func editInverse<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let number = input.number(below: 256)
    let mark = try writer.object(of: Mark.self).last { $0.number <= number } ?? Mark(number)
    let isInserted = input.number(below: 3) > 0
    let zIndex = try someTray(in: writer)
    history.append("edit the inverse of mark \(mark.number) \(isInserted), tray \(zIndex)")
    let tray = try tray(zIndex, from: writer)
    let bag = try writer.object(of: Bag.self).last
    if isInserted {
      try mark.trays.insert(tray)
      if let bag { try mark.bags.insert(bag) }
    } else {
      try mark.trays.remove(tray)
      if let bag { try mark.bags.remove(bag) }
    }
    let key = try writer.update(mark).rawValue
    world.marks[key] = mark.number
    if isInserted {
      world.trays[zIndex]?.list.append(key)
      if let row = bag?.zIndex?.rawValue { world.bags[row]?.list.append(key) }
    } else {
      world.trays[zIndex]?.list.removeAll { $0 == key }
      if let row = bag?.zIndex?.rawValue { world.bags[row]?.list.removeAll { $0 == key } }
    }
  }
}
