import MagicStore

/// Which rows there are.
enum Rows {
  static let people = 1...24
  static let measures = 1...24
  static let tickets = 1...30
  static let ticketsGone = [5, 10, 29, 30]
  static let stamps = 1...24
  static let stampsGone = [7, 23, 24]
  static let drafts = 1...20
  static let books = 1...24
  static let booksGone = [24]
  static let ledgers = 1...30
  static let ledgersOfEarlier = 1...20
}

extension ClosedRange<Int> {
  /// The numbers of the rows that stayed.
  func without(_ gone: [Int]) -> [Int] { filter { !gone.contains($0) } }
}

/// Writes the rows that every version can store.
enum BasicsWriting {
  /// Writes the rows of a type that changes, as it was before.
  static func begin(_ store: MagicObjectStore) throws {
    try store.update(contentsOf: Rows.ledgersOfEarlier.map { Earlier.Ledger(number: $0) })
  }

  /// Writes everything else.
  ///
  /// - Returns: the people, for relationships to refer to.
  static func write(_ store: MagicObjectStore) throws -> [Person] {
    let people = Rows.people.map { Person(number: $0) }
    try store.update(contentsOf: people)
    try store.update(contentsOf: Rows.measures.map { Measure(number: $0) })

    let tickets = Rows.tickets.map { Ticket(title: Sample.text($0)) }
    try store.update(contentsOf: Array(tickets[..<20]))
    for ticket in tickets[20...] { try store.update(ticket) }
    try store.remove(contentsOf: Rows.ticketsGone.map { tickets[$0 - 1] })

    let stamps = Rows.stamps.map { Stamp(number: $0) }
    try store.update(contentsOf: stamps)
    for number in Rows.stampsGone { try store.remove(stamps[number - 1]) }

    try store.update(contentsOf: Rows.drafts.map { Draft(text: Sample.text($0)) })
    try store.removeAll(of: Draft.self)

    let books = Rows.books.map { Book(number: $0) }
    try store.update(contentsOf: books)
    try store.remove(contentsOf: Rows.booksGone.map { books[$0 - 1] })

    try store.update(contentsOf: Rows.ledgers.dropFirst(20).map { Ledger(number: $0) })
    return people
  }
}
