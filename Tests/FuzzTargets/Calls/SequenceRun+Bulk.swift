import MagicQuery
import MagicStatements
import MagicStore

extension SequenceRun {
  func removeAll<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    let kind = input.number(below: 7)
    history.append("remove all \(kind)")
    switch kind {
    case 0:
      guard world.holders.isEmpty else {
        return try expectDenial { try writer.removeAll(of: Entry.self) }
      }
      try expect(world.entries.count) { try writer.removeAll(of: Entry.self) }
      for zIndex in world.entries.keys { world.removeEntry(zIndex) }
    case 1:
      try expect(world.marks.count) { try writer.removeAll(of: Mark.self) }
      for zIndex in world.marks.keys { world.removeMark(zIndex) }
    case 2:
      try expect(world.tickets.count) { try writer.removeAll(of: Ticket.self) }
      world.tickets = [:]
    case 3:
      try expect(world.parts.count) { try writer.removeAll(of: Part.self) }
      for zIndex in world.parts.keys { world.removePart(zIndex) }
    case 4:
      try expect(world.bags.count) { try writer.removeAll(of: Bag.self) }
      for zIndex in world.bags.keys { world.removeBag(zIndex) }
    default:
      try expect(world.holders.count) { try writer.removeAll(of: Holder.self) }
      world.holders = [:]
    }
  }

  func deleteByQuery<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    let (kind, limit) = (input.number(below: 4), input.number(below: 256))
    history.append("delete \(kind) above \(limit)")
    switch kind {
    case 0:
      let deleted = world.entries.filter { $0.value.number > limit }.keys
      guard !deleted.contains(where: world.isHeld) else {
        return try expectDenial {
          try writer.query(Entry.self).where(\.$number > limit).delete()
        }
      }
      try expect(deleted.count) { try writer.query(Entry.self).where(\.$number > limit).delete() }
      for zIndex in deleted { world.removeEntry(zIndex) }
    case 1:
      let deleted = world.marks.filter { $0.value > limit }.keys
      try expect(deleted.count) { try writer.query(Mark.self).where(\.$number > limit).delete() }
      for zIndex in deleted { world.removeMark(zIndex) }
    case 2:
      let deleted = world.bags.filter { $0.value.number > limit }.keys
      try expect(deleted.count) {
        try writer.query(Bag.self).where(.sql("number > \(limit)")).delete()
      }
      for zIndex in deleted { world.removeBag(zIndex) }
    default:
      // Deletes the last row by SQL: its row ID must not be assigned again.
      guard let last = world.marks.keys.max() else { return }
      guard engine.hasFiles || !world.isMember(mark: last) else { return }
      try expect(1) {
        try writer.sql(
          """
          DELETE FROM \(table: Mark.self) WHERE z_index = :last; \
          DELETE FROM \(table: Mark.self) WHERE z_index = \(last)
          """
        ).bind("last", to: last).runScript()
      }
      world.removeMark(last)
    }
  }

  func updateByQuery<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let (kind, limit) = (input.number(below: 2), input.number(below: 256))
    history.append("update \(kind) above \(limit)")
    if kind == 0 {
      let changed = world.entries.filter { $0.value.number > limit }.keys
      try expect(changed.count) {
        try writer.query(Entry.self).where(\.$number > limit).update(set: \.$number += 1)
      }
      for zIndex in changed { world.entries[zIndex]?.number += 1 }
    } else {
      let changed = world.marks.filter { $0.value > limit }.keys
      try expect(changed.count) {
        try writer.query(Mark.self).where(\.$number > limit).update(set: \.$number -= 1)
      }
      for zIndex in changed { world.marks[zIndex]? -= 1 }
    }
    try editLabel(256 * kind + limit, in: writer)
  }

  /// - Throws: `Finding` if the body returns another count.
  private func expect(_ count: Int, _ body: () throws -> Int) throws {
    let found = try body()
    guard found == count else { throw Finding("the call returned \(found), not \(count)") }
  }
}
