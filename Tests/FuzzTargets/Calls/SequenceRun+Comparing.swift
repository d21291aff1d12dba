import Foundation
import MagicAssets
import MagicAsync
import MagicData
import MagicRelations
import MagicStore

extension SequenceRun {
  /// - Throws: `Finding` if the contents of the database differ from the model.
  func compare(with reader: some MagicDatabaseReader) throws {
    let now = try read(reader)
    guard now == world else {
      throw Finding("stored: \(Self.difference(now, world))")
    }
    try compareSearches(in: reader)
    try compareLookups(in: reader)
    try compareLabels(in: reader)
  }

  /// Checks that a search for each note finds the entries that have it.
  private func compareSearches(in reader: some MagicDatabaseReader) throws {
    let entries = Dictionary(grouping: world.entries, by: \.value.note).mapValues {
      Set($0.map(\.key))
    }
    for (note, expected) in entries {
      guard let note else { continue }
      let found = try reader.query(Entry.self).matching(.phrase(note)).all()
        .compactMap { $0.zIndex?.rawValue }
      guard Set(found) == expected, found.count == expected.count else {
        throw Finding("a search for \(note) finds \(found), not \(expected)")
      }
    }
  }

  func compareAll() throws {
    try compare(with: store)
    for entry in kept {
      guard entry.object.zIndex?.rawValue == entry.zIndex else {
        throw Finding("an instance shows row \(entry.object.zIndex?.rawValue ?? 0)")
      }
      let values = World.EntryRow(
        id: entry.object.id, number: entry.object.number, note: entry.object.note,
        file: entry.values.file)
      guard values == entry.values else {
        throw Finding("an instance shows \(values), not \(entry.values)")
      }
    }
    try compareReverse()
  }

  /// Checks that the inverse relationship of a member equals the bags that contain it.
  private func compareReverse() throws {
    guard let mark = try store.object(of: Mark.self).last, let zIndex = mark.zIndex?.rawValue else {
      return
    }
    let count = try blocking { try await mark.bags.count }
    let expected = world.bags.values.count { $0.list.contains(zIndex) }
    guard count == expected else {
      throw Finding("\(count) bags refer to row \(zIndex), not \(expected)")
    }
  }

  /// - Throws: `Finding` if the database is not sound, or has files that no row refers to.
  func expectSound() throws {
    let faults = try store.verify().findings.filter(\.kind.isFault)
    guard faults.isEmpty else { throw Finding("\(faults)") }
    guard engine.hasFiles else { return }
    let folder = URL(fileURLWithPath: path + "-assets")
    let names =
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { ($0 as? URL)?.lastPathComponent }.filter { $0.hasSuffix(".txt") } ?? []
    let files = world.entries.values.count { $0.file != nil }
    guard names.count <= files, files == 0 || !names.isEmpty else {
      throw Finding("there are \(names.count) files of \(files) rows")
    }
  }

  private func read(_ reader: some MagicDatabaseReader) throws -> World {
    var world = World()
    func key(_ zIndex: ZIndex?) throws -> Int64 {
      guard let zIndex else { throw Finding("a fetched row has no row ID") }
      return zIndex.rawValue
    }
    for entry in try reader.object(of: Entry.self) {
      world.entries[try key(entry.zIndex)] = World.EntryRow(
        id: entry.id, number: entry.number, note: entry.note, file: try entry.file?.load())
    }
    for mark in try reader.object(of: Mark.self) {
      world.marks[try key(mark.zIndex)] = mark.number
    }
    for ticket in try reader.object(of: Ticket.self) {
      world.tickets[try key(ticket.zIndex)] = World.TicketRow(
        number: ticket.number, label: ticket.label)
    }
    for part in try reader.object(of: Part.self) {
      world.parts[try key(part.zIndex)] = part.number
    }
    for bag in try reader.object(of: Bag.self) {
      world.bags[try key(bag.zIndex)] = try Self.row(of: bag)
    }
    for tray in try reader.object(of: Tray.self) {
      world.trays[try key(tray.zIndex)] = try Self.row(of: tray, in: reader)
    }
    for holder in try reader.object(of: Holder.self) {
      world.holders[try key(holder.zIndex)] = try key(holder.entry.zIndex)
    }
    for label in try reader.object(of: Label.self) {
      world.labels[try key(label.zIndex)] = World.LabelRow(code: label.code, name: label.name)
    }
    return world
  }

  /// The values of an instance of a bag.
  static func row(of bag: Bag) throws -> World.BagRow {
    World.BagRow(
      number: bag.number, one: bag.one?.zIndex?.rawValue, next: bag.next?.zIndex?.rawValue,
      list: bag.list.map { $0.zIndex?.rawValue ?? 0 },
      ranked: bag.ranked.map { $0.zIndex?.rawValue ?? 0 },
      group: Set(bag.group.map { $0.zIndex?.rawValue ?? 0 }),
      named: bag.named.mapValues { $0.zIndex?.rawValue ?? 0 },
      parts: bag.parts.map { $0.zIndex?.rawValue ?? 0 })
  }

  /// The stored values of a tray.
  static func row(of tray: Tray, in reader: some MagicDatabaseReader) throws -> World.TrayRow {
    World.TrayRow(
      list: try tray.list.get(in: reader).map { $0.zIndex?.rawValue ?? 0 },
      group: Set(try tray.group.get(in: reader).map { $0.zIndex?.rawValue ?? 0 }),
      named: try tray.named.get(in: reader).mapValues { $0.zIndex?.rawValue ?? 0 })
  }

  private static func difference(_ now: World, _ world: World) -> String {
    if now.entries != world.entries { return "\(now.entries) instead of \(world.entries)" }
    if now.marks != world.marks { return "\(now.marks) instead of \(world.marks)" }
    if now.tickets != world.tickets { return "\(now.tickets) instead of \(world.tickets)" }
    if now.parts != world.parts { return "\(now.parts) instead of \(world.parts)" }
    if now.bags != world.bags { return "\(now.bags) instead of \(world.bags)" }
    if now.labels != world.labels { return "\(now.labels) instead of \(world.labels)" }
    if now.trays != world.trays { return "\(now.trays) instead of \(world.trays)" }
    return "\(now.holders) instead of \(world.holders)"
  }
}
