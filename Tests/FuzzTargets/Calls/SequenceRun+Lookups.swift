import MagicData
import MagicQuery
import MagicSQLite
import MagicStore
import SQLiteEngine
import SQLiteStore

extension SequenceRun {
  /// Checks lookups of tickets by primary, whose rows may be in memory: each in one of three ways.
  func compareLookups(in reader: some MagicDatabaseReader) throws {
    func expect(_ found: Int?, _ expected: Int?, _ number: Int) throws {
      guard found == expected else {
        throw Finding(
          "ticket \(number) is \(found.map { "\($0)" } ?? "missing"), not \(expected as Any)")
      }
    }
    let tickets = Dictionary(
      uniqueKeysWithValues: world.tickets.values.map { ($0.number, $0.label) })
    let numbers = tickets.keys.sorted() + [1 + history.count % 40]
    for (place, number) in numbers.enumerated() {
      let expected = tickets[number]
      switch (history.count + place) % 3 {
      case 0:
        let query = reader.query(Ticket.self).where(\.$number == number)
        try expect(try query.first()?.label, expected, number)
      case 1 where expected != nil:
        try expect(
          try reader.object(of: Ticket.self, primary: number).label, expected, number)
      default:
        let isFound = try reader.has(of: Ticket.self, primary: number)
        try expect(isFound ? expected ?? 0 : nil, expected, number)
      }
    }
  }

  /// Looks a ticket up and changes it.
  ///
  /// - Parameter label: A number of the input. No byte of the input is read, and no entry is added to the
  ///   history, so that stored inputs keep their meaning.
  func relabelTicket<Writer: MagicDatabaseWriter>(_ label: Int, in writer: Writer) throws {
    let rows = world.tickets.keys.sorted()
    let zIndex = rows[label % rows.count]
    guard let number = world.tickets[zIndex]?.number else { return }
    history[history.count - 1] += ", relabel ticket \(number) \(label)"
    let ticket = try writer.object(of: Ticket.self, primary: number)
    ticket.label = label
    try writer.update(ticket)
    if flaw == .keepsCachedRows, depth > 0 { forgetChangedRows() }
    world.tickets[zIndex]?.label = label
  }

  /// Makes the transaction commit without the rows that it has changed, a deliberate flaw.
  private func forgetChangedRows() {
    store.shared.writer?.forEach { writer in
      if let rows = writer.connection.changedRows, rows.hasBegun { rows.begin() }
    }
  }
}
