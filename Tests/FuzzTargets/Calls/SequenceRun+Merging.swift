import MagicSchema
import MagicStore

extension SequenceRun {
  /// Merges a new entry, of which some properties are assigned.
  func mergeEntry<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let (id, assigned) = ("e\(input.number(below: 6))", input.number(below: 4))
    let number = input.number(below: 256)
    history.append("merge \(id), properties \(assigned), \(number)")
    let (entry, row) = (Entry(), world.entry(id))
    var values = row.flatMap { world.entries[$0] } ?? World.EntryRow(id: id)
    entry.id = id
    if assigned & 1 != 0 {
      values.number = number
      entry.number = number
    }
    if assigned & 2 != 0 {
      values.note = number % 3 == 0 ? nil : "note \(number)"
      entry.note = values.note
    }
    guard row != nil || assigned & 1 != 0 else {
      return try expect(.missingValue) { try writer.merge(entry) }
    }
    let zIndex = try writer.merge(entry).rawValue
    guard row == nil ? world.entries[zIndex] == nil : row == zIndex else {
      throw Finding("\(id) was merged into row \(zIndex), not \(row as Any)")
    }
    guard entry.number == values.number, entry.note == values.note else {
      throw Finding("the merged entry is \(entry.number) \(entry.note as Any), not \(values)")
    }
    world.entries[zIndex] = values
  }
}
