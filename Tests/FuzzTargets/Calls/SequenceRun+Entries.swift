import MagicSchema
import MagicStore

extension SequenceRun {
  private static let mostKept = 5

  /// The index of a chosen kept entry.
  private func somePlace() -> Int? { kept.isEmpty ? nil : input.number(below: kept.count) }

  /// Keeps a new entry, or merges one if enough are kept.
  func makeEntry<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard kept.count < Self.mostKept else { return try mergeEntry(in: writer) }
    let (id, number) = (input.number(below: 6), input.number(below: 256))
    history.append("make e\(id) \(number)")
    kept.append(KeptEntry(id: "e\(id)", number: number))
  }

  func fetchEntry<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    let id = "e\(input.number(below: 6))"
    history.append("fetch \(id)")
    guard let zIndex = world.entry(id), let row = world.entries[zIndex] else {
      try expect(.notFound) { _ = try writer.object(of: Entry.self, primary: id) }
      return
    }
    let entry = try writer.object(of: Entry.self, primary: id)
    guard kept.count < Self.mostKept else { return }
    kept.append(KeptEntry(entry, zIndex, row))
  }

  /// Sets a property of a kept entry, and edits labels.
  func setEntry<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard let place = somePlace() else { return }
    let properties: [KeptEntry.Property] = [.id, .number, .note, .file]
    let kind = input.number(below: 5)
    let number = input.number(below: 256)
    history.append("set #\(place) \(kind < 4 ? "\(properties[kind])" : "file of") \(number)")
    if kind < 4 {
      kept[place].set(properties[kind], number)
      settings.append((place, properties[kind]))
    } else {
      kept[place].share(kept[number % kept.count])
      settings.append((place, .file))
    }
    try editLabel(256 * kind + number, in: writer)
  }

  func saveEntry<Writer: MagicDatabaseWriter>(to writer: Writer) throws {
    guard let place = somePlace() else { return }
    let policy = somePolicy()
    history.append("save #\(place), if missing: \(policy)")
    if flaw == .dropsUpdates, let zIndex = kept[place].zIndex, !kept[place].dirty.isEmpty {
      return try noteSaved(place, zIndex, policy)
    }
    let entry = kept[place]
    do {
      // A primary that is matched explicitly finds the same row.
      let isMatched = policy == .fail && place.isMultiple(of: 2)
      let zIndex =
        try isMatched
        ? writer.update(entry.object, matching: \.$id)
        : writer.update(entry.object, ifMissing: policy)
      try noteSaved(place, zIndex.rawValue, policy)
    } catch let error as MagicError {
      try expectValidError(for: error, place, policy)
    }
  }

  private func somePolicy() -> MissingRowPolicy {
    input.number(below: 4) == 0 ? .insert : .fail
  }

  /// Whether a kept entry was changed after its row was deleted.
  private func isMissing(_ entry: KeptEntry) -> Bool {
    guard let row = entry.zIndex, !entry.dirty.isEmpty else { return false }
    return world.entries[row] == nil
  }

  /// Inserts a kept entry, which is refused or left out if it has a row or its primary is stored.
  func insertEntry<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    guard let place = somePlace() else { return }
    let ignores = input.number(below: 2) == 0
    history.append("insert #\(place)\(ignores ? " or ignore" : "")")
    let entry = kept[place]
    let isStored = entry.zIndex != nil || world.entry(entry.values.id) != nil
    do {
      guard ignores else {
        let zIndex = try writer.insert(entry.object)
        guard !isStored else { throw Finding("\(entry.values) was inserted twice") }
        return try noteSaved(place, zIndex.rawValue, .fail)
      }
      let zIndex = try writer.insert(entry.object, orIgnore: true)
      guard isStored == (zIndex == nil) else { throw Finding("insert returned \(zIndex as Any)") }
      if let zIndex { try noteSaved(place, zIndex.rawValue, .fail) }
    } catch let error as MagicError {
      history.append("which threw \(error.code)")
      // The file of an object without a row may have been deleted with its former row.
      let isLost =
        error.code == .assetMissing && entry.values.file != nil && !entry.hasOwnFile
      guard isLost || (error.code == .notUnique && isStored && !ignores) else {
        throw Finding("inserting \(entry.values) threw \(error)")
      }
    }
  }

  /// Saves all kept entries in one call: all are saved or none.
  func saveEntries<Writer: MagicDatabaseWriter>(to writer: Writer) throws {
    let policy = somePolicy()
    history.append("save all, if missing: \(policy)")
    let (before, keptBefore) = (world, kept)
    do {
      let zIndexes = try writer.update(contentsOf: kept.map(\.object), ifMissing: policy)
      for (place, zIndex) in zIndexes.enumerated() {
        try noteSaved(place, zIndex.rawValue, policy)
      }
    } catch let error as MagicError
      where [.notUnique, .assetMissing, .notFound].contains(error.code)
    {
      (world, kept) = (before, keptBefore)
      if error.code == .notFound, policy == .insert || !kept.contains(where: isMissing) {
        throw Finding("saving all entries threw \(error)")
      }
      history.append("which threw \(error.code)")
    }
  }

  /// Records the result of a successful save in the model.
  private func noteSaved(_ place: Int, _ zIndex: Int64, _ policy: MissingRowPolicy) throws {
    let entry = kept[place]
    if policy == .fail, isMissing(entry) {
      throw Finding("\(entry.values) was saved, but its row is missing")
    }
    if let known = entry.zIndex, policy == .fail || world.entries[known] != nil {
      guard zIndex == known else { throw Finding("row \(known) was saved as \(zIndex)") }
      if !entry.dirty.isEmpty, let row = world.entries[known] {
        let new = entry.written(over: row)
        if let other = world.entry(new.id), other != known {
          throw Finding("two rows have the primary \(new.id)")
        }
        world.entries[known] = new
      }
    } else if let row = world.entry(entry.values.id) {
      guard zIndex == row else { throw Finding("\(entry.values.id) is row \(row), not \(zIndex)") }
      world.entries[row] = entry.values
    } else {
      guard world.entries[zIndex] == nil else { throw Finding("row \(zIndex) existed already") }
      world.entries[zIndex] = entry.values
    }
    kept[place].zIndex = zIndex
    kept[place].dirty = []
    kept[place].hasOwnFile = false
  }

  /// - Throws: `Finding` if the model has no reason for the error of a save.
  private func expectValidError(
    for error: MagicError, _ place: Int, _ policy: MissingRowPolicy
  ) throws {
    let entry = kept[place]
    history.append("which threw \(error.code)")
    switch error.code {
    case .notFound:
      if policy == .fail, isMissing(entry) { return }
    case .notUnique:
      // Another row has the primary that the save sets.
      guard let row = entry.zIndex, world.entries[row] != nil,
        let other = world.entry(entry.values.id), other != row
      else { break }
      return
    case .assetMissing:
      // The file was deleted with its row.
      if entry.values.file != nil, !entry.hasOwnFile { return }
    default: break
    }
    throw Finding("saving \(entry.values) threw \(error)")
  }

  func removeEntry<Writer: MagicDatabaseWriter>(from writer: Writer) throws {
    guard let place = somePlace() else { return }
    history.append("remove #\(place)")
    let entry = kept[place]
    guard let zIndex = entry.zIndex else {
      return try expect(.notSaved) { try writer.remove(entry.object) }
    }
    guard !world.isHeld(zIndex) else {
      return try expectDenial { try writer.remove(entry.object) }
    }
    try writer.remove(entry.object)
    world.removeEntry(zIndex)
    kept[place].zIndex = nil
    kept[place].hasOwnFile = false
  }

  func holdEntry<Writer: MagicDatabaseWriter>(in writer: Writer) throws {
    let id = "e\(input.number(below: 6))"
    guard let zIndex = world.entry(id) else { return }
    history.append("hold \(id)")
    let holder = Holder()
    holder.entry = try writer.object(of: Entry.self, primary: id)
    let row = try writer.update(holder).rawValue
    world.holders[row] = zIndex
  }

  func saveTicket<Writer: MagicDatabaseWriter>(to writer: Writer) throws {
    let (label, choice) = (input.number(below: 256), input.number(below: 32))
    history.append("ticket \(choice)")
    let ticket = Ticket(label)
    if choice > 16 { ticket.number = choice }
    let zIndex = try writer.update(ticket).rawValue
    if choice > 16 {
      guard ticket.number == choice else { throw Finding("a save changed a primary") }
    } else if assigned.had(ticket: ticket.number) || ticket.number < 1 {
      throw Finding("number \(ticket.number) was assigned twice")
    }
    if let known = world.tickets.first(where: { $0.value.number == ticket.number })?.key {
      guard choice > 16, known == zIndex else { throw Finding("two tickets have the same number") }
    }
    world.tickets[zIndex] = World.TicketRow(number: ticket.number, label: label)
    try editLabel(32 * label + choice, in: writer)
    try relabelTicket(8 * label + choice, in: writer)
  }

  /// Expects that a removal is refused. Inside a transaction the check can be deferred to its
  /// commit, so the removal is not made there.
  func expectDenial(_ body: () throws -> Void) throws {
    guard depth == 0 else { return }
    try expect(.stillReferenced, body)
  }

  /// - Throws: `Finding` if the body does not throw an error with this code.
  func expect(_ code: MagicError.Code, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as MagicError where error.code == code {
      return history.append("which threw \(code)")
    }
    throw Finding("nothing threw \(code)")
  }
}
