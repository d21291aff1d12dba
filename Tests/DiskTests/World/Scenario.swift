import Foundation
import MagicData

/// A program that uses the whole library, in steps. Each step is atomic, and can be repeated after
/// it has failed.
enum Scenario {
  struct Step: Sendable {
    let name: String
    /// Changes objects in memory only; called once.
    var prepare: @Sendable (World) throws -> Void = { _ in }
    let act: @Sendable (World) async throws -> Void
    /// The row IDs of objects that the step inserts.
    var new: @Sendable (World) -> [ZIndex?] = { _ in [] }
    /// The contents after the step has failed, from the contents before it.
    var afterFailure: @Sendable (World, Contents) -> Contents = { $1 }
  }

  static let steps: [Step] = [
    opening, observation, graph, fetching, rewriting, editing, merging, lazyEditing, migration,
    migrated, transaction, tasks, rawSQL, searching, repairing, cascade,
    removal, replacement, compaction, backup, copy, check, closing, reopening, sharing, lastClosing,
  ]

  /// Deliberate flaws of the program.
  enum Flaw: CaseIterable {
    /// The program ignores errors.
    case ignoredErrors
    /// The program saves a graph in two transactions.
    case splitGraph
  }

  /// The steps with a graph that is saved in two transactions.
  static let splitSteps: [Step] = steps.map { step in
    guard step.name == graph.name else { return step }
    return Step(
      name: step.name, prepare: step.prepare,
      act: { world in
        try await world.magic.update(contentsOf: world.books)
        try await world.magic.update(world.shelf)
      })
  }

  private static let opening = Step(name: "opening") { try $0.open() }

  private static let observation = Step(name: "observing") { try $0.observe() }

  private static let graph = Step(
    name: "saving a graph",
    prepare: { world in
      world.books = [
        Models.Book(1, by: world.ada), Models.Book(2, by: world.grace, bytes: 5_000),
        Models.Book(3, by: world.ada),
      ]
      world.shelf.books = world.books
      world.shelf.tags = [Models.Tag("x"), Models.Tag("y")]
      world.shelf.places = ["first": world.books[0], "middle": world.books[1]]
      world.shelf.poster.set(.init(value: Data(repeating: 7, count: 700)))
    }, act: { world in try await world.magic.update(world.shelf) },
    new: { world in
      [world.shelf.zIndex, world.ada.zIndex] + world.books.map(\.zIndex)
        + world.shelf.tags.map(\.zIndex)
    })

  private static let fetching = Step(name: "fetching") { world in
    let shelf = try await world.magic.object(of: Models.Shelf.self, primary: 1)
    let texts = try shelf.books.map { try $0.text.load() }
    let poster = try await shelf.poster.get().load()
    let magic = try world.magic
    let books = try await magic.query(Models.Book.self).where { $0.$title.hasPrefix("Book") }
      .order(by: \.$number).all()
    var ofAda: [Int] = []
    if let ada = books.first(where: { $0.number == 1 })?.author {
      for try await book in ada.books { ofAda.append(book.number) }
    }
    try require(
      texts == world.shelf.books.map { try $0.text.load() } && poster?.count == 700
        && books.map(\.number) == [1, 2, 3, 70, 71] && ofAda.sorted() == [1, 3],
      "fetched values differ from the saved ones")
    (world.shelf, world.books) = (shelf, shelf.books)
  }

  /// Writes the entire file again, because it cannot return free pages.
  private static let rewriting = Step(name: "compacting an earlier file") { world in
    try await world.magic.compact()
  }

  private static let editing = Step(
    name: "saving changes",
    prepare: { world in
      let shelf = world.shelf
      shelf.books.remove(at: 0)
      shelf.books.insert(Models.Book(4, by: Models.Author("Edsger"), bytes: 20_000), at: 1)
      shelf.books.append(world.books[1])
      world.books[1].title = "Another title"
      world.books[1].text = .init(value: Models.Book.text(22, 900), pathExtension: "txt")
      shelf.tags.remove(Models.Tag("x"))
      shelf.tags.insert(Models.Tag("z"))
      shelf.places = ["first": world.books[2], "last": world.books[0]]
      shelf.poster.set(.init(value: Data(repeating: 8, count: 900)))
    }, act: { world in try await world.magic.update(world.shelf) },
    new: { world in [world.shelf.books.first { $0.number == 4 }?.zIndex] })

  private static let lazyEditing = Step(
    name: "editing a lazy list from both sides",
    prepare: { world in
      world.shelf.borrowed.append(contentsOf: [world.books[1], world.books[2]])
      try world.books[0].borrowedFrom.insert(world.shelf)
    }, act: { world in try await world.magic.update(world.books[0]) })

  private static let merging = Step(name: "merging") { world in
    let (author, book) = (Models.Author("Edsger"), Models.Book())
    author.age = 1
    (book.number, book.title) = (71, "A merged title")
    try await world.magic.merge(author, book)
    try require(book.author?.name == "Alan", "a merge has lost a relationship")
  }

  private static let migration = Step(
    name: "migrating",
    act: { world in
      try await world.magic.migrate(Models.Plate.self)
      world.isMigrated = true
    })

  private static let migrated = Step(
    name: "saving a migrated type",
    act: { world in try await world.magic.update(world.plate) }, new: { [$0.plate.zIndex] })

  private static let transaction = Step(name: "a transaction") { world in
    let (books, author) = (world.books, Models.Author("Barbara"))
    try await world.magic.transaction { transaction in
      author.age = 85
      try transaction.update(author)
      books[2].author = author
      try transaction.update(books[2])
      do {
        try transaction.transaction { inner in
          try inner.update(Models.Book(900, by: author))
          // Another book has this unique title.
          let twin = Models.Book(901)
          twin.title = books[1].title
          try inner.update(twin)
        }
      } catch let error as MagicError where error.code == .notUnique {}
      try transaction.query(Models.Author.self).where(\.$name == "Edsger").update(set: \.$age += 72)
      try transaction.remove(transaction.object(of: Models.Tag.self, primary: "old"))
    }
  }

  private static let taskNumbers = 21...26

  private static let tasks = Step(
    name: "saving from several tasks",
    act: { world in
      let magic = try world.magic
      let numbers = taskNumbers.filter { !world.savedByTasks.contains($0) }
      let results = await withTaskGroup(of: (Int, (any Error)?).self) { group in
        for number in numbers {
          group.addTask {
            do {
              try await magic.update(Models.Book(number, bytes: number * 10))
              return (number, nil)
            } catch {
              return (number, error)
            }
          }
        }
        var results: [(Int, (any Error)?)] = []
        for await result in group { results.append(result) }
        return results
      }
      for (number, error) in results where error == nil { world.savedByTasks.insert(number) }
      if let failure = results.compactMap(\.1).first { throw failure }
    },
    afterFailure: { world, before in
      var contents = before
      for number in world.savedByTasks {
        contents.books[number] = .init(
          title: "Book \(number)", text: Models.Book.text(number, number * 10))
      }
      return contents
    })

  /// The indexes of the empty table are created after the rows.
  private static let replacement = Step(name: "replacing all tags") { world in
    try await world.magic.transaction { transaction in
      try transaction.removeAll(of: Models.Tag.self)
      try transaction.update(contentsOf: (1...12).map { Models.Tag("tag \($0)") })
    }
  }

  private static let rawSQL = Step(name: "raw SQL") { world in
    try await world.magic.sql("UPDATE Author SET age = age + 1 WHERE name = \("Grace")").run()
  }

  /// Another program has changed titles, so the search updates the index first.
  private static let searching = Step(
    name: "searching",
    prepare: { try $0.addToTitles(" outside") },
    act: { try await search("outside", in: $0) },
    afterFailure: { $1.addingToTitles(" outside") })

  private static func search(_ text: String, in world: World) async throws {
    let magic = try world.magic
    let found = try await magic.query(Models.Book.self).matching(.phrase(text)).count()
    let count = try await magic.query(Models.Book.self).count()
    try require(found == count, "a search finds \(found) of \(count) books")
  }

  /// Creates the search index again, because a trigger is missing.
  private static let repairing = Step(
    name: "repairing a search index",
    prepare: { try $0.dropSearchTrigger() },
    act: { world in
      let magic = try world.magic
      try await magic.repair()
      let report = try await magic.verify()
      guard report.isSound else { throw UnsoundReport(report: report) }
      try await search("outside", in: world)
    })

  /// Removes an author, with the author's books, their files and their join rows.
  private static let cascade = Step(name: "removing with a cascade") { world in
    let magic = try world.magic
    // A failed attempt can already have removed the author.
    if let grace = try await magic.query(Models.Author.self).where(\.$name == "Grace").first() {
      try await magic.remove(grace)
    }
  }

  private static let removal = Step(name: "removing all") { world in
    try await world.magic.removeAll(of: Models.Tag.self)
  }

  private static let compaction = Step(name: "compacting") { world in
    try await world.magic.compact()
  }

  private static let backup = Step(name: "a backup") { world in
    try await world.magic.backup(to: world.backupPath, compacting: true)
  }

  private static let copy = Step(name: "reading the copy") { world in
    let copy = try await MagicData(path: world.backupPath)
    let contents: Contents
    do {
      contents = try await Contents(reading: copy, isMigrated: true)
    } catch {
      await copy.close()
      throw error
    }
    await copy.close()
    let expected = try await world.contents()
    try require(contents == expected, "the copy differs")
  }

  private static let check = Step(name: "checking") { world in
    let report = try await world.magic.verify()
    guard report.isSound else { throw UnsoundReport(report: report) }
  }

  private static let closing = Step(name: "closing") { await $0.close() }
  private static let reopening = Step(name: "opening again") { world in
    try world.open()
    _ = try await world.contents()
  }

  /// Gives all rows other row IDs, so no step that uses objects from before may follow.
  private static let sharing = Step(name: "preparing for sharing") { world in
    try await world.magic.prepareForSharing()
    _ = try await world.contents()
  }

  private static let lastClosing = Step(name: "closing again") { await $0.close() }
}

/// An error for a report with findings, which can include files that could not be read.
struct UnsoundReport: Error {
  let report: MagicReport
}

/// An error for a step with a wrong result.
struct UnexpectedResult: Error, CustomStringConvertible {
  let description: String
}

func require(_ isRight: @autoclosure () throws -> Bool, _ description: String) throws {
  guard try isRight() else { throw UnexpectedResult(description: description) }
}
