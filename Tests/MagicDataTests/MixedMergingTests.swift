import EngineConformance
import MagicData
import MagicTestSupport
import Testing

private struct Writer: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String = "unnamed"
  @MagicValue var age: Int = 1
  @OptionMagicValue var city: String?

  init() {}
  init(_ id: String) { self.id = id }
}

private struct Book: MagicObject {
  @PrimaryMagicValue var title: String
  @MagicValue var pages: Int = 100
  @OptionMagicValue var writer: Writer?
  @MagicValue var readers: [Writer] = []

  init() {}
  init(_ title: String) { self.title = title }
}

/// A type whose key contains a to-one, and which has a default object.
private struct Shift: MagicObject {
  static var key: MagicKey<Self> { MagicKey(\.$writer, \.$day) }

  @MagicValue var writer: Writer
  @MagicValue var day: Int
  @MagicValue var note: String = "none"
  @MagicValue var desk = ShiftDesk()

  init() {}
  init(_ writer: Writer, _ day: Int) { (self.writer, self.day) = (writer, day) }
}

private struct ShiftDesk: MagicObject {
  @MagicValue var name: String = "desk"
  init() {}
}

private struct Stopped: Error {}

/// Objects of several types that are merged in one call, and by sessions.
@Suite(.everyEngine) struct MixedMergingTests {
  let scratch = Scratch()

  /// Opens a database with the writer "a" and her book "b".
  private func open() async throws -> MagicData {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let writer = Writer("a")
    (writer.name, writer.age, writer.city) = ("Ada", 36, "London")
    let book = Book("b")
    (book.pages, book.writer, book.readers) = (300, writer, [writer])
    try await magic.update(writer, book)
    return magic
  }

  private func stored(_ magic: MagicData) async throws -> [String] {
    let writers = try await magic.query(Writer.self).order(by: \.$id).all()
    let books = try await magic.query(Book.self).order(by: \.$title).all()
    return writers.map { "\($0.id) \($0.name) \($0.age) \($0.city ?? "-")" }
      + books.map { "\($0.title) \($0.pages) \($0.writer?.id ?? "-") \($0.readers.map(\.id))" }
  }

  /// A new writer and a new book, which assign one property each.
  private func assigned() -> (Writer, Book) {
    let (writer, book) = (Writer("a"), Book("b"))
    writer.age = 37
    book.pages = 301
    return (writer, book)
  }

  private let merged = ["a Ada 37 London", "b 301 a [\"a\"]"]

  @Test func objectsOfSeveralTypesAreMerged() async throws {
    let magic = try await open()
    let (writer, book) = assigned()
    let (other, new) = (Writer("x"), Book("y"))
    let rows = try await magic.merge(book, writer, other, new)
    #expect(rows == [book.zIndex, writer.zIndex, other.zIndex, new.zIndex])
    #expect(try await stored(magic) == [merged[0], "x unnamed 1 -", merged[1], "y 100 - []"])
    #expect(writer.name == "Ada" && writer.city == "London" && !writer.hasChanges)
    #expect(book.writer?.id == "a" && book.readers.map(\.id) == ["a"] && !book.hasChanges)
    let objects: [any MagicObject] = [Book("b"), Writer("a")]
    try await magic.merge(contentsOf: objects)
    #expect(try await stored(magic).count == 4)
    #expect(try await magic.merge(contentsOf: [any MagicObject]()).isEmpty)
  }

  @Test func aReferredObjectIsMergedToo() async throws {
    let magic = try await open()
    let (writer, book) = assigned()
    book.writer = writer
    try await magic.merge(book, writer)
    #expect(try await stored(magic) == merged)
    #expect(writer.name == "Ada")
  }

  @Test func anErrorOfOneObjectUndoesAll() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let (writer, book) = assigned()
    await #expect(throws: Stopped.self) {
      try await magic.transaction { transaction in
        try transaction.merge(writer, book)
        #expect(writer.name == "Ada")
        throw Stopped()
      }
    }
    #expect(try await stored(magic) == before)
    #expect(writer.name == "unnamed" && writer.age == 37 && !writer.isSaved)
    try await magic.merge(writer, book)
    #expect(try await stored(magic) == merged)
  }

  @Test func aCancelledMergeWritesNothing() async throws {
    let magic = try await open()
    let before = try await stored(magic)
    let (writer, book) = assigned()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await magic.merge(writer, book)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await stored(magic) == before)
  }

  @Test func aSessionMerges() async throws {
    let magic = try await open()
    let (writer, book) = assigned()
    let session = magic.session()
    let other = Book("other")
    // The reference saves the writer before its own turn.
    other.writer = writer
    session.add(other)
    session.merge(writer)
    session.merge(contentsOf: [book])
    session.delete(Book("never"))
    await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(!session.isEmpty && writer.name == "unnamed")
    session.rollback()
    session.add(other)
    session.merge(writer, book)
    try await session.commit()
    #expect(session.isEmpty)
    #expect(try await stored(magic) == merged + ["other 100 a []"])
    #expect(writer.city == "London" && book.readers.map(\.id) == ["a"] && !writer.hasChanges)
    writer.name = "Ada L."
    session.merge(writer)
    try await session.commit()
    #expect(try await stored(magic)[0] == "a Ada L. 37 London")
  }

  @Test func aReferenceOfAnEarlierSaveIsMergedToo() async throws {
    let magic = try await open()
    let removed = Book("removed")
    try await magic.update(removed)
    let (writer, book) = assigned()
    let other = Book("other")
    other.writer = writer
    let session = magic.session()
    session.add(other)
    // The saves before and after a deletion are two calls.
    session.delete(removed)
    session.merge(writer, book)
    try await session.commit()
    #expect(try await stored(magic) == merged + ["other 100 a []"])
    #expect(writer.name == "Ada" && !writer.hasChanges && !book.hasChanges)
  }

  @Test func theLastCallDecidesHowASessionSaves() async throws {
    let magic = try await open()
    let session = magic.session()
    let (writer, book) = assigned()
    session.merge(writer)
    session.add(writer)
    await #expect(throws: MagicError.self) { try await session.commit() }
    session.merge(writer)
    session.merge(book)
    session.add(book, upsert: true)
    try await session.commit()
    #expect(try await stored(magic) == [merged[0], "b 301 - []"])
  }

  @Test func aSessionInATransactionMerges() async throws {
    let magic = try await open()
    let (writer, book) = assigned()
    try await magic.withSession { session in
      session.merge(writer)
      try session.flush()
      #expect(writer.name == "Ada")
      let inner = session.session()
      inner.merge(contentsOf: [book])
      try inner.commit()
    }
    #expect(try await stored(magic) == merged)
  }

  @Test func observersSeeOnlyTheWrittenProperties() async throws {
    let magic = try await open()
    var changes = magic.changes(of: Writer.self).makeAsyncIterator()
    let (writer, book) = assigned()
    try await magic.merge(writer, book)
    let change = await changes.next()
    let row = try #require(writer.zIndex)
    #expect(change?.updated[row]?.names == ["age"])
  }

  @Test func aKeyWithASavedObjectFindsTheRowBeforeDefaultsAreSaved() async throws {
    let magic = try await open()
    let writer = try await magic.object(of: Writer.self, primary: "a")
    let first = Shift(writer, 1)
    first.note = "first"
    try await magic.update(first)
    #expect(try await magic.query(ShiftDesk.self).count() == 1)
    let second = Shift(writer, 1)
    try await magic.merge(second)
    #expect(second.note == "first" && second.desk.zIndex == first.desk.zIndex)
    #expect(try await magic.query(ShiftDesk.self).count() == 1)
    let third = Shift(writer, 2)
    try await magic.merge(third)
    #expect(try await magic.query(ShiftDesk.self).count() == 2)
    #expect(try await magic.query(Shift.self).count() == 2)
  }

  @Test func theBlockingCallsMergeToo() throws {
    let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
    defer { store.close() }
    try store.merge(Writer("a"), Book("b"))
    let objects: [any MagicObject] = [Book("b"), Writer("c")]
    #expect(try store.merge(contentsOf: objects).count == 2)
    #expect(try store.query(Book.self).count() == 1)
  }
}
