import MagicStore

/// The numbers of the rows of each type, and those that were removed.
enum Rows {
  static let people = 1...24
  static let measures = 1...24
  static let tickets = 1...30
  static let ticketsRemoved = [5, 10, 29, 30]
  static let stamps = 1...24
  static let stampsRemoved = [7, 23, 24]
  static let drafts = 1...20
  static let books = 1...24
  static let booksRemoved = [24]
  static let ledgers = 1...30
  static let ledgersOfEarlier = 1...20
}

extension ClosedRange<Int> {
  /// The numbers without those of removed rows.
  func without(_ removed: [Int]) -> [Int] { filter { !removed.contains($0) } }
}

/// Writes the rows that every version can store.
enum BasicsWriting {
  /// Writes rows of the earlier version of a type that changes.
  static func begin(_ store: MagicObjectStore) throws {
    try store.update(contentsOf: Rows.ledgersOfEarlier.map { Earlier.Ledger(number: $0) })
  }

  /// Writes all other rows.
  ///
  /// - Returns: The people, as targets of relationships.
  static func write(_ store: MagicObjectStore) throws -> [Person] {
    let people = Rows.people.map { Person(number: $0) }
    try store.update(contentsOf: people)
    try store.update(contentsOf: Rows.measures.map { Measure(number: $0) })

    let tickets = Rows.tickets.map { Ticket(title: Sample.text($0)) }
    try store.update(contentsOf: Array(tickets[..<20]))
    for ticket in tickets[20...] { try store.update(ticket) }
    try store.remove(contentsOf: Rows.ticketsRemoved.map { tickets[$0 - 1] })

    let stamps = Rows.stamps.map { Stamp(number: $0) }
    try store.update(contentsOf: stamps)
    for number in Rows.stampsRemoved { try store.remove(stamps[number - 1]) }

    try store.update(contentsOf: Rows.drafts.map { Draft(text: Sample.text($0)) })
    try store.removeAll(of: Draft.self)

    let books = Rows.books.map { Book(number: $0) }
    try store.update(contentsOf: books)
    try store.remove(contentsOf: Rows.booksRemoved.map { books[$0 - 1] })

    try store.update(contentsOf: Rows.ledgers.dropFirst(20).map { Ledger(number: $0) })
    return people
  }
}
