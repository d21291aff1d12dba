import MagicStore

/// Random sequences of calls. After each call the database is compared with a model.
///
/// Every byte of an input that is not an argument is a call.
public enum CallSequence {
  /// - Parameters:
  ///   - engine: The engine of the database.
  ///   - flaw: A deliberate flaw, or nil.
  /// - Throws: `Finding` if a violation was found.
  public static func run(
    _ bytes: some Sequence<UInt8>, on engine: SequenceEngine = .sqlite, flaw: CallFlaw? = nil
  ) throws {
    try SequenceRun(ByteReader(bytes), on: engine, flaw: flaw).run()
  }
}

/// One run of a sequence.
final class SequenceRun {
  var input: ByteReader
  let engine: SequenceEngine
  let flaw: CallFlaw?
  let directory: RunDirectory
  var path: String
  var store: MagicObjectStore
  var world = World()
  var kept: [KeptEntry] = []
  /// The properties that were set on kept entries: they stay set when a transaction is rolled back.
  var settings: [(place: Int, property: KeptEntry.Property)] = []
  /// The places where pages of entries continue, by the order of the pages.
  var places: [Int: PagePlace] = [:]
  var assigned = AssignedNumbers()
  var changeComparison: ChangeComparison
  var history: [String] = []
  /// The number of nested transactions.
  private(set) var depth = 0
  private var callCount = 0
  private var copyCount = 0

  static let mostCalls = 64

  /// An error that is thrown to roll back a transaction.
  private struct Abandoned: Error {}

  init(_ input: ByteReader, on engine: SequenceEngine, flaw: CallFlaw?) throws {
    self.input = input
    self.engine = engine
    self.flaw = flaw
    directory = try RunDirectory()
    path = directory.database
    store = try engine.open(path)
    changeComparison = ChangeComparison()
  }

  func run() throws {
    defer { store.close() }
    do {
      try makeTables()
      try begin()
      while !input.isAtEnd, callCount < Self.mostCalls {
        let before = world
        callCount += 1
        try callOutsideTransaction()
        try assigned.note(world, since: before)
        try changeComparison.compare(before, world)
        try compareAll()
      }
      try expectSound()
    } catch let error as Finding {
      throw Finding("\(error) after \(history.joined(separator: "; "))")
    } catch {
      throw Finding("\(error) after \(history.joined(separator: "; "))")
    }
  }

  /// Creates the tables by inserting first rows, and removes these rows.
  private func makeTables() throws {
    let bag = Bag(0)
    (bag.one, bag.list, bag.parts) = (Entry(), [Mark(0)], [Part(0)])
    bag.one?.number = 0
    let holder = Holder()
    holder.entry = bag.one ?? Entry()
    try store.update(bag)
    try store.update(holder)
    try store.update(Ticket(0))
    try store.update(Tray())
    assigned.note(firstRows: ["bag", "entry", "mark", "part", "holder", "ticket", "tray"])
    try store.update(Label(World.LabelRow(code: "", name: "")))
    assigned.note(firstRows: ["label"])
    try store.removeAll(of: Label.self)
    try store.removeAll(of: Holder.self)
    try store.removeAll(of: Bag.self)
    try store.removeAll(of: Entry.self)
    try store.removeAll(of: Mark.self)
    try store.removeAll(of: Ticket.self)
    try store.removeAll(of: Tray.self)
    // Every other input is run on a shared database.
    if engine.hasFiles, input.count % 2 == 1 { try store.prepareForSharing() }
    try world == World() ? compareAll() : ()
  }

  private func begin() throws {
    changeComparison.observe(store)
    if flaw == .reusesZIndexes {
      let raw = try RawDatabase(path)
      for table in ["Entry", "Mark", "Bag"] {
        try raw.execute("DROP TRIGGER \"\(table) high water\"")
      }
      try raw.execute("UPDATE magic_catalogue SET high_water = 0")
      raw.close()
      try reopen()
    }
    if flaw == .keepsSearchedTexts {
      let raw = try RawDatabase(path)
      try raw.execute("DROP TRIGGER \"Entry search change\"")
      raw.close()
      try reopen()
    }
  }

  private func callOutsideTransaction() throws {
    switch input.number(below: 16) {
    case 0, 1: try transact(on: store)
    case 2: try reopen()
    case 3 where engine.hasFiles: try continueWithCopy()
    case 4: try repair()
    case 5: try compact()
    default: try call(on: store)
    }
  }

  private func compact() throws {
    history.append("compact")
    try store.compact()
  }

  /// Checks that a repair of a sound database changes nothing.
  private func repair() throws {
    history.append("repair")
    let report = try store.repair()
    guard report.findings.isEmpty else {
      throw Finding("a repair of a sound database changed it: \(report)")
    }
  }

  /// Makes a call that transactions have too.
  func call<Writer: MagicDatabaseWriter>(on writer: Writer) throws {
    switch input.number(below: 24) {
    case 0: try makeEntry(in: writer)
    case 1:
      try fetchEntry(from: writer)
      try readPage(from: writer)
    case 2, 3, 4: try setEntry(in: writer)
    case 5, 6, 7: try saveEntry(to: writer)
    case 8: try saveEntries(to: writer)
    case 9: try removeEntry(from: writer)
    case 10: try makeBag(in: writer)
    case 11, 12: try editBag(in: writer)
    case 13:
      if input.number(below: 3) == 0 { return try editBareBag(in: writer) }
      try editTwice(in: writer)
    case 14: try removeBag(from: writer)
    case 15: try saveTicket(to: writer)
    case 16: try holdEntry(in: writer)
    case 17: try removeAll(from: writer)
    case 18: try deleteByQuery(from: writer)
    case 19: try updateByQuery(in: writer)
    case 20, 21: try editTray(in: writer)
    case 22: try editInverse(in: writer)
    default: try insertEntry(in: writer)
    }
  }

  /// Makes several calls in a transaction, which commits or rolls back.
  private func transact<Writer: MagicDatabaseWriter>(on writer: Writer) throws {
    let (before, keptBefore, settingCount) = (world, kept, settings.count)
    let (count, isAbandoned) = (1 + input.number(below: 5), input.byte() & 1 == 1)
    history.append("begin")
    depth += 1
    defer { depth -= 1 }
    do {
      try writer.transaction { transaction in
        for _ in 0..<count where !input.isAtEnd && callCount < Self.mostCalls {
          callCount += 1
          if input.number(below: 6) == 0 {
            try transact(on: transaction.context)
          } else {
            try call(on: transaction.context)
          }
          try compare(with: transaction.context)
        }
        if isAbandoned, flaw != .keepsWhatWasRolledBack { throw Abandoned() }
      }
      history.append("commit")
      guard isAbandoned else { return }
    } catch is Abandoned {
      history.append("rollback")
    }
    world = before
    // Objects that were fetched in the transaction can refer to rows that no longer exist.
    let dirty = settings[settingCount...]
    kept = Array(kept.prefix(keptBefore.count))
    for place in kept.indices {
      kept[place].zIndex = keptBefore[place].zIndex
      kept[place].dirty = keptBefore[place].dirty
        .union(dirty.filter { $0.place == place }.map(\.property))
    }
  }

  private func reopen() throws {
    history.append("reopen")
    changeComparison.end()
    store.close()
    store = try engine.open(path)
    changeComparison.observe(store)
  }

  /// Copies the database, and continues with the copy.
  private func continueWithCopy() throws {
    history.append("copy")
    copyCount += 1
    let copy = "\(directory.path)/data/copy.sqlite3-\(copyCount)"
    try store.backup(to: copy)
    path = copy
    // Objects can only be used with the database that they were fetched from.
    kept = []
    try reopen()
  }
}
