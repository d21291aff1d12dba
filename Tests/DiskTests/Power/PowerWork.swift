import Foundation
import MagicData
import MagicRuntime
import MagicTestSupport

/// Random calls on a database, and the history of its states.
final class PowerWork: Locked, @unchecked Sendable {
  private let world: World
  private var random: SeededRandom
  private var lastNumber = 1_000
  /// The contents of the database after the last acknowledged call.
  private var current = Contents()
  private var stored: [Contents] = []
  private var intended: [Contents] = []

  init(_ world: World, seed: UInt64) {
    self.world = world
    random = SeededRandom(seed)
    super.init()
  }

  /// The acknowledged states in their order, and the states that later calls would have produced:
  /// the call that is running, and calls that failed.
  var history: (acknowledged: [Contents], intended: [Contents]) {
    withLock { (stored, intended) }
  }

  func begin() async throws {
    try world.open()
    current = try await world.contents()
    acknowledge(current)
  }

  /// Makes an atomic call.
  func step() async throws {
    let magic = try world.magic
    switch Int.random(in: 0..<11, using: &random) {
    case ..<4: try await addBooks(magic)
    case ..<6: try await changeBook(magic)
    case ..<8: try await removeAuthor(magic)
    case 8: try await rearrangeShelf(magic)
    case 9: try await compact(magic)
    default: try await migrate(magic)
    }
  }

  private func acknowledge(_ contents: Contents) {
    withLock {
      stored.append(contents)
      intended = []
    }
  }

  /// Makes a call whose success changes the database to the given contents.
  private func perform(
    resultingIn contents: Contents, _ body: () async throws -> Void
  ) async throws {
    withLock { intended.append(contents) }
    try await body()
    current = contents
    acknowledge(contents)
  }

  // MARK: Calls

  private func addBooks(_ magic: MagicData) async throws {
    let author = Models.Author("Author \(lastNumber)")
    let books = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      lastNumber += 1
      let bytes = Int.random(in: 0...3_000, using: &random)
      return Models.Book(lastNumber, by: author, bytes: bytes)
    }
    var next = current
    next.authors[author.name] = 0
    for book in books {
      next.books[book.number] = .init(
        title: book.title, text: book.text.value, author: author.name)
    }
    try await perform(resultingIn: next) { try await magic.update(contentsOf: books) }
  }

  private func changeBook(_ magic: MagicData) async throws {
    guard let number = current.books.keys.sorted().randomElement(using: &random) else { return }
    lastNumber += 1
    let book = try await magic.object(of: Models.Book.self, primary: number)
    book.title = "Book \(number), version \(lastNumber)"
    book.text = .init(value: Models.Book.text(lastNumber, 700), pathExtension: "txt")
    var next = current
    next.books[number]?.title = book.title
    next.books[number]?.text = book.text.value
    try await perform(resultingIn: next) { try await magic.update(book) }
  }

  private func removeAuthor(_ magic: MagicData) async throws {
    guard let name = current.authors.keys.sorted().randomElement(using: &random) else { return }
    let author = try await magic.object(of: Models.Author.self, primary: name)
    var next = current
    next.authors[name] = nil
    let removed = next.books.filter { $0.value.author == name }.map(\.key)
    for number in removed { next.books[number] = nil }
    for (number, shelf) in next.shelves {
      next.shelves[number]?.books = shelf.books.filter { !removed.contains($0) }
      next.shelves[number]?.places = shelf.places.filter { !removed.contains($0.value) }
    }
    try await perform(resultingIn: next) { try await magic.remove(author) }
  }

  private func rearrangeShelf(_ magic: MagicData) async throws {
    let numbers = current.books.keys.sorted().shuffled(using: &random).prefix(5)
    let shelf = try await magic.object(of: Models.Shelf.self, primary: 7)
    let books = try await magic.object(of: Models.Book.self, primaries: Array(numbers))
    lastNumber += 1
    let poster = Models.Book.text(lastNumber, 900)
    shelf.books = books
    shelf.places = books.first.map { ["first": $0] } ?? [:]
    shelf.poster.set(.init(value: poster))
    var next = current
    next.shelves[7]?.books = books.map(\.number)
    next.shelves[7]?.places = books.first.map { ["first": $0.number] } ?? [:]
    next.shelves[7]?.poster = poster
    try await perform(resultingIn: next) { try await magic.update(shelf) }
  }

  /// Compacts the database; the first call writes the entire file again.
  private func compact(_ magic: MagicData) async throws {
    try await perform(resultingIn: current) { try await magic.compact() }
  }

  /// Migrates a type; only the first call does anything.
  private func migrate(_ magic: MagicData) async throws {
    guard !world.isMigrated else { return }
    var next = current
    for (number, plate) in current.plates {
      next.plates[number] = .init(
        name: plate.name, stars: 3, scan: Models.Book.text(number, 500))
    }
    try await perform(resultingIn: next) {
      try await magic.migrate(Models.Plate.self)
      world.isMigrated = true
    }
  }
}
