import EngineConformance
import MagicData
import MagicTestSupport
import Testing

private struct Author: MagicObject {
  @PrimaryMagicValue var name: String
  @MagicValue var books: [Book] = []

  init() {}
  init(_ name: String) { self.name = name }
}

private struct Book: MagicObject {
  @PrimaryMagicValue var title: String
  @OptionMagicValue var author: Author?
  @OptionMagicValue var cover: Cover?

  init() {}
  init(_ title: String, by author: Author? = nil) { (self.title, self.author) = (title, author) }
}

/// A type without relationships.
private struct Cover: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.unique) var colour: String

  init() {}
  init(_ colour: String) { self.colour = colour }
}

/// Objects of several types in one call.
@Suite(.everyEngine) struct MixedSavingTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func expectEmpty(_ magic: MagicData) async throws {
    #expect(try await magic.object(of: Author.self).isEmpty)
    #expect(try await magic.object(of: Book.self).isEmpty)
    #expect(try await magic.object(of: Cover.self).isEmpty)
  }

  @Test func objectsOfSeveralTypesAreSavedInOrder() async throws {
    let magic = try await open()
    let (author, book, cover) = (Author("A"), Book("B"), Cover("red"))
    let rows = try await magic.update(author, book, cover)
    #expect(rows == [author.zIndex, book.zIndex, cover.zIndex])
    #expect(try await magic.object(of: Cover.self).map(\.colour) == ["red"])
    let more: [any MagicObject] = [Cover("b"), Cover("c"), Book("C"), Cover("d"), author]
    #expect(try await magic.update(contentsOf: more).count == 5)
    #expect(try await magic.object(of: Cover.self).map(\.colour) == ["red", "b", "c", "d"])
    let none: [any MagicObject] = []
    #expect(try await magic.update(contentsOf: none).isEmpty)
  }

  @Test func objectsOfOneTypeAreSavedAsAList() async throws {
    let magic = try await open()
    let covers = [Cover("a"), Cover("b")]
    #expect(try await magic.update(covers[0], covers[1]) == covers.map(\.zIndex))
    #expect(try await magic.update(contentsOf: [covers[0], covers[1]]) == covers.map(\.zIndex))
    #expect(try await magic.object(of: Cover.self).count == 2)
  }

  @Test func objectsReferToEachOther() async throws {
    let magic = try await open()
    let author = Author("A")
    let book = Book("B", by: author)
    book.cover = Cover("red")
    author.books = [book, Book("C")]
    let cover = try #require(book.cover)
    try await magic.update(cover, author, book, author)
    let fetched = try await magic.object(of: Author.self)
    #expect(fetched.map { $0.books.map(\.title) } == [["B", "C"]])
    #expect(fetched.first?.books.first?.cover?.colour == "red")
    #expect(fetched.first?.books.first?.author?.name == "A")
  }

  @Test func referencedObjectsAreInsertedOnce() async throws {
    let magic = try await open()
    let (author, cover) = (Author("A"), Cover("red"))
    let book = Book("B", by: author)
    book.cover = cover
    try await magic.insert(book, cover, author)
    #expect(try await magic.object(of: Cover.self).count == 1)

    // The second object is stored, though the first one refers to it.
    let (twin, other) = (Author("A"), Book("C"))
    other.author = twin
    let error = await #expect(throws: MagicError.self) { try await magic.insert(other, twin) }
    #expect(error?.code == .notUnique)
    #expect(other.zIndex == nil && twin.zIndex == nil)
    #expect(try await magic.object(of: Book.self).count == 1)
  }

  @Test func anErrorOfTheThirdObjectUndoesAll() async throws {
    let magic = try await open()
    let (author, book, cover) = (Author("A"), Book("B"), Cover())
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(author, book, cover)
    }
    #expect(error?.code == .missingValue && error?.property == "colour")
    #expect(author.zIndex == nil && book.zIndex == nil && cover.zIndex == nil)
    try await expectEmpty(magic)
    cover.colour = "red"
    try await magic.update(author, book, cover)
    #expect(try await magic.object(of: Author.self).count == 1)
  }

  @Test func aRemovedObjectIsSavedAgainWithItsOwner() async throws {
    let magic = try await open()
    let (book, cover) = (Book("B"), Cover("red"))
    book.cover = cover
    try await magic.update(book, cover)
    try await magic.remove(cover)
    try await magic.update(book, cover)
    #expect(try await magic.object(of: Book.self).first?.cover?.colour == "red")
  }

  @Test func objectsOfSeveralTypesAreRemoved() async throws {
    let magic = try await open()
    let (author, cover) = (Author("A"), Cover("red"))
    let book = Book("B", by: author)
    try await magic.update(book, cover, author)
    let unsaved = Book("C")
    let error = await #expect(throws: MagicError.self) {
      try await magic.remove(author, cover, unsaved)
    }
    #expect(error?.code == .notSaved)
    #expect(author.zIndex != nil && cover.zIndex != nil)
    try await magic.remove(author, book, cover)
    #expect(author.zIndex == nil && book.zIndex == nil && cover.zIndex == nil)
    try await expectEmpty(magic)
  }

  @Test func transactionsAndStoresHaveTheSameCalls() async throws {
    let magic = try await open()
    struct Failure: Error {}
    let (author, cover) = (Author("A"), Cover("red"))
    await #expect(throws: Failure.self) {
      try await magic.transaction { transaction in
        try transaction.insert(author, cover)
        try transaction.update(Book("B"), author, cover)
        #expect(throws: MagicError.self) { try transaction.update(Book("C"), Cover()) }
        try transaction.remove(author, cover)
        #expect(try transaction.object(of: Book.self).map(\.title) == ["B"])
        throw Failure()
      }
    }
    try await expectEmpty(magic)
    #expect(author.zIndex == nil && cover.zIndex == nil)
  }

  @Test func aStoreSavesObjectsOfSeveralTypes() throws {
    let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
    let (author, cover) = (Author("A"), Cover("red"))
    #expect(try store.update(author, Book("B", by: author), cover).count == 3)
    try store.remove(cover, author)
    #expect(try store.object(of: Book.self).map(\.title) == ["B"])
    #expect(try store.object(of: Book.self).first?.author == nil)
  }

  @Test func manyMixedObjectsGetTheirOwnRows() async throws {
    let magic = try await open()
    try await magic.update(Cover("7"))
    var objects: [any MagicObject] = []
    for number in 0..<300 {
      let book = Book("\(number / 2)")
      objects.append(number % 3 == 0 ? Cover("\(number + 1000)") : book)
    }
    let rows = try await magic.update(contentsOf: objects)
    let covers = objects.compactMap { $0 as? Cover }
    #expect(Set(covers.compactMap(\.zIndex)).count == 100)
    for (object, row) in zip(objects, rows) { #expect(object.zIndex == row) }
    #expect(try await magic.object(of: Book.self).count == 150)
  }

  @Test func newObjectsOfTypesInTurnGetTheRowsOfTheirStoredPrimaries() async throws {
    let magic = try await open()
    let makeObjects = { () -> [any MagicObject] in
      (0..<9).map { number -> any MagicObject in
        if number % 3 == 1 { Book("\(number)") } else { Author("\(number)") }
      }
    }
    let rows = try await magic.update(contentsOf: makeObjects())
    let again = makeObjects()
    #expect(try await magic.update(contentsOf: again) == rows)
    for (object, row) in zip(again, rows) { #expect(object.zIndex == row) }
  }
}
