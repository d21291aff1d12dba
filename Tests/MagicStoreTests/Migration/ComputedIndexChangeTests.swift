import EngineConformance
import MagicQuery
import MagicSchema
import MagicStatements
import MagicStore
import MagicTestSupport
import Testing

/// Indexes over expressions and partial indexes that are added, dropped and changed.
@Suite struct ComputedIndexChangeTests {
  let scratch = Scratch()

  private enum Bare {
    struct Book: MagicObject {
      @MagicValue var title: String = ""
      @MagicValue var state: String = ""
      @MagicValue var pages: Int = 0
      init() {}
      init(_ title: String, _ state: String, _ pages: Int) {
        self.title = title
        self.state = state
        self.pages = pages
      }
    }
  }

  private enum Indexed {
    struct Book: MagicObject {
      @MagicValue var title: String = ""
      @MagicValue var state: String = ""
      @MagicValue var pages: Int = 0
      static var indexes: [MagicIndex<Book>] {
        [
          MagicIndex(isUnique: true) { $0.$title.asciiLowercased() },
          MagicIndex(\.$pages, isUnique: true, where: { $0.$state == "lent" }),
        ]
      }
    }
  }

  private func make(_ books: [Bare.Book]) throws {
    try scratch.using { store throws in try store.update(contentsOf: books) }
  }

  private func summaries<Model: MagicObject>(_ type: Model.Type) throws -> [String] {
    try scratch.using { store throws in
      try store.migrationPlan(for: type).steps.map(\.summary)
    }
  }

  @Test func theyAreCreatedAndDropped() throws {
    try make([Bare.Book("A", "lent", 1), Bare.Book("B", "here", 1), Bare.Book("C", "here", 1)])
    let names = [
      #"Book(lower("title")) unique"#, #"Book(pages) where "state" = 'lent' unique"#,
    ]
    #expect(try summaries(Indexed.Book.self) == names.map { "the index \($0) is created" })
    try scratch.using { store throws in
      #expect(try store.migrationPlan(for: Indexed.Book.self).kind == .additive)
    }
    try scratch.migrating(to: Indexed.Book.self) { store, books throws in
      books[1].title = "a"
      #expect(throws: MagicError.self) { try store.update(books[1]) }
      books[1].title = "b"
      books[1].state = "lent"
      #expect(throws: MagicError.self) { try store.update(books[1]) }
      books[1].pages = 2
      try store.update(books[1])
    }
    #expect(try summaries(Indexed.Book.self) == [])
    #expect(
      try Set(summaries(Bare.Book.self)) == Set(names.map { "the index \($0) is dropped" }))
    try scratch.migrating(to: Bare.Book.self) { store, _ throws in
      try store.update(Bare.Book("a", "lent", 1))
    }
  }

  @Test func anotherDefinitionReplacesAnIndex() throws {
    enum Changed {
      struct Book: MagicObject {
        @MagicValue var title: String = ""
        @MagicValue var state: String = ""
        @MagicValue var pages: Int = 0
        static var indexes: [MagicIndex<Book>] {
          [
            MagicIndex { $0.$title.asciiLowercased() },
            MagicIndex(\.$pages, isUnique: true, where: { $0.$state == "LENT" }),
          ]
        }
      }
    }
    try make([Bare.Book("A", "lent", 1)])
    try scratch.migrating(to: Indexed.Book.self) { _, _ throws in }
    #expect(try summaries(Changed.Book.self).count == 4)
    try scratch.migrating(to: Changed.Book.self) { store, books throws in
      books[0].title = "a"
      try store.update(books[0])
      let other = Changed.Book()
      (other.title, other.state, other.pages) = ("A", "lent", 1)
      try store.update(other)
    }
  }

  @Test func theyFollowRenamings() throws {
    enum Renamed {
      struct Volume: MagicObject {
        @MagicValue(.wasNamed("title")) var name: String = ""
        @MagicValue var state: String = ""
        @MagicValue var pages: Int = 0
        static var wasNamed: [String] { ["Book"] }
        static var indexes: [MagicIndex<Volume>] {
          [
            MagicIndex(isUnique: true) { $0.$name.asciiLowercased() },
            MagicIndex(\.$pages, isUnique: true, where: { $0.$state == "lent" }),
          ]
        }
      }
    }
    try make([Bare.Book("A", "lent", 1)])
    try scratch.migrating(to: Indexed.Book.self) { _, _ throws in }
    try scratch.migrating(to: Renamed.Volume.self) { store, volumes throws in
      #expect(volumes.map(\.name) == ["A"])
      let other = Renamed.Volume()
      other.name = "a"
      #expect(throws: MagicError.self) { try store.update(other) }
    }
  }

  @Test func theyAreRebuiltWithTheTable() throws {
    enum Rebuilt {
      struct Book: MagicObject {
        @MagicValue var title: String = ""
        @MagicValue var state: String = ""
        @OptionMagicValue var pages: Int?
        static var indexes: [MagicIndex<Book>] {
          [
            MagicIndex(isUnique: true) { $0.$title.asciiLowercased() },
            MagicIndex(\.$pages, isUnique: true, where: { $0.$state == "lent" }),
          ]
        }
      }
    }
    try make([Bare.Book("A", "lent", 1)])
    try scratch.migrating(to: Indexed.Book.self) { _, _ throws in }
    try scratch.migrating(to: Rebuilt.Book.self) { store, books throws in
      #expect(books.map(\.pages) == [1])
      let other = Rebuilt.Book()
      (other.title, other.state, other.pages) = ("B", "lent", 1)
      #expect(throws: MagicError.self) { try store.update(other) }
    }
  }

  @Test func theErrorNamesTheIndexAndTheRowsThatViolateIt() throws {
    try make([
      Bare.Book("secret", "lent", 1), Bare.Book("B", "here", 1), Bare.Book("SECRET", "", 1),
    ])
    try scratch.expectNoMigration(
      to: Indexed.Book.self, .notUnique,
      naming: ["rows 1, 3", #"the index Book(lower("title")) unique"#])
    let books = try scratch.using { store throws in try store.object(of: Bare.Book.self) }
    try scratch.using { store throws in
      let books = try store.object(of: Bare.Book.self)
      books[2].title = "C"
      books[2].state = "lent"
      try store.update(books[2])
      try store.update(Bare.Book("D", "here", 1))
    }
    #expect(books.count == 3)
    try scratch.expectNoMigration(
      to: Indexed.Book.self, .notUnique, property: "pages",
      naming: ["rows 1, 3 ", #"the index Book(pages) where "state" = 'lent' unique"#])
  }

  @Test func indexesOfOtherProgramsAreKept() throws {
    try make([Bare.Book("A", "lent", 1)])
    try scratch.using { store throws in
      try store.transaction { transaction in
        try transaction.sql("CREATE INDEX mine ON Book (upper(title)) WHERE pages > 3").run()
      }
    }
    for _ in 0..<2 {
      try scratch.using { store throws in
        _ = try store.object(of: Indexed.Book.self)
        #expect(
          try store.sql("SELECT count(*) FROM sqlite_master WHERE name = 'mine'")
            .value(Int.self) == 1)
        #expect(try store.verify().findings == [])
      }
      try scratch.using { store throws in _ = try store.object(of: Bare.Book.self) }
    }
  }
}
