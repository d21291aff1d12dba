import EngineConformance
import MagicData
import MagicRuntime
@testable import MagicStore
import MagicTestSupport
import Testing

private struct Member: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @OptionMagicValue var club: Club?

  init() {}
  init(_ id: String, _ name: String? = nil, in club: Club? = nil) {
    self.id = id
    self.club = club
    if let name { self.name = name }
  }
}

private struct Club: MagicObject {
  @PrimaryMagicValue var title: String
  @MagicValue var members: [Member] = []

  init() {}
  init(_ title: String) { self.title = title }
}

/// A unit of work: objects that one commit saves and deletes.
@Suite(.everyEngine) struct SessionTests {
  let scratch = Scratch()

  private func open() async throws -> MagicData {
    try await MagicData.onTestedEngine(path: scratch.file())
  }

  private func members(_ magic: MagicData) async throws -> [String] {
    try await magic.object(of: Member.self).map(\.id)
  }

  @Test func aCommitStoresAllWork() async throws {
    let magic = try await open()
    let old = Member("old", "O")
    try await magic.update(old)
    let club = Club("c")
    let ada = Member("ada", "Ada", in: club)
    club.members = [ada]

    let session = magic.session()
    session.add(ada, club)
    session.delete(old)
    #expect(!session.isEmpty)
    #expect(try await members(magic) == ["old"])
    try await session.commit()
    #expect(session.isEmpty && old.zIndex == nil)
    #expect(try await members(magic) == ["ada"])
    #expect(try await magic.object(of: Club.self).first?.members.first?.club?.title == "c")

    ada.name = "Ada L."
    session.add(ada)
    try await session.commit()
    #expect(try await magic.object(of: Member.self).map(\.name) == ["Ada L."])
    try await session.commit()
  }

  @Test func workWithoutACommitIsDiscarded() async throws {
    let magic = try await open()
    var session: MagicSession? = magic.session()
    session?.add(Member("a", "A"))
    session = nil
    let other = magic.session()
    other.add(Member("b", "B"))
    other.rollback()
    #expect(other.isEmpty)
    try await other.commit()
    #expect(try await members(magic).isEmpty)
  }

  @Test func aStoredPrimaryIsRefusedWithoutUpsert() async throws {
    let magic = try await open()
    try await magic.update(Member("a", "A"))
    let session = magic.session()
    session.add(Member("a", "New"))
    let error = await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(error?.code == .notUnique)
    session.rollback()
    session.add(Member("a", "New"), upsert: true)
    try await session.commit()
    #expect(try await magic.object(of: Member.self).map(\.name) == ["New"])
  }

  @Test func aStoredPrimaryIsRefusedAlsoIfAnEarlierObjectRefersToIt() async throws {
    let magic = try await open()
    try await magic.update(Member("a", "A"))
    let (club, twin) = (Club("c"), Member("a", "Twin"))
    club.members = [twin]
    let other = Member("b", "B")
    try await magic.update(other)
    let session = magic.session()
    session.add(club, upsert: true)
    session.delete(other)
    session.add(twin)
    let error = await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(error?.code == .notUnique)
    #expect(try await magic.object(of: Member.self).map(\.name) == ["A", "B"])
    session.add(twin, upsert: true)
    try await session.commit()
    #expect(try await magic.object(of: Member.self).map(\.name) == ["Twin"])
  }

  @Test func aFailedCommitStoresNothingAndKeepsTheWork() async throws {
    let magic = try await open()
    let old = Member("old", "O")
    try await magic.update(old)
    let (club, ada, incomplete) = (Club("c"), Member("ada", "Ada"), Member("bea"))
    let session = magic.session()
    session.delete(old)
    session.add(club, ada, incomplete)
    let error = await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(error?.code == .missingValue)
    #expect(club.zIndex == nil && ada.zIndex == nil && old.zIndex != nil)
    #expect(try await members(magic) == ["old"])
    #expect(!session.isEmpty)
    incomplete.name = "Bea"
    session.add(Member("cleo", "Cleo"))
    try await session.commit()
    #expect(try await members(magic) == ["ada", "bea", "cleo"])
  }

  @Test func theLastCallForAnObjectDecides() async throws {
    let magic = try await open()
    let (new, saved, twice) = (Member("new", "N"), Member("saved", "S"), Member("twice", "T"))
    try await magic.update(saved)
    let session = magic.session()
    session.add(new, saved, twice, twice)
    session.add(twice)
    session.delete(new, saved, saved)
    try await session.commit()
    #expect(new.zIndex == nil && saved.zIndex == nil)
    #expect(try await members(magic) == ["twice"])

    session.delete(twice)
    session.add(twice)
    session.delete(new)
    session.add(new)
    twice.name = "U"
    try await session.commit()
    #expect(try await magic.object(of: Member.self).map(\.name) == ["U", "N"])
  }

  @Test func anObjectThatWasAddedAndDeletedIsNotSavedByAReference() async throws {
    let magic = try await open()
    let (club, ada) = (Club("c"), Member("ada", "Ada"))
    club.members = [ada]
    let session = magic.session()
    session.add(club, ada)
    session.delete(ada)
    try await session.commit()
    #expect(try await members(magic).isEmpty)
    #expect(try await magic.object(of: Club.self).map(\.members.count) == [0])
  }

  @Test func deletingAnUnsavedObjectThrows() async throws {
    let session = try await open().session()
    session.delete(Member("a", "A"))
    let error = await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(error?.code == .notSaved)
  }

  @Test func operationsAreExecutedInOrder() async throws {
    let magic = try await open()
    let old = Member("a", "Old")
    try await magic.update(old)
    let session = magic.session()
    session.delete(old)
    session.add(Member("a", "New"))
    try await session.commit()
    #expect(try await magic.object(of: Member.self).map(\.name) == ["New"])
  }

  @Test func anInnerSessionAddsItsWorkToTheOuterOne() async throws {
    let magic = try await open()
    let session = magic.session()
    session.add(Member("a", "A"))
    let inner = session.session()
    let (b, c) = (Member("b", "B"), Member("c", "C"))
    inner.add(b, c)
    try await inner.commit()
    #expect(inner.isEmpty)
    #expect(try await members(magic).isEmpty)
    inner.add(Member("d", "D"))
    inner.rollback()
    inner.delete(c)
    let innermost = inner.session()
    innermost.add(Member("e", "E"))
    try await innermost.commit()
    try await inner.commit()
    session.session().add(Member("f", "F"))
    try await session.commit()
    #expect(try await members(magic) == ["a", "b", "e"])
  }

  @Test func tasksAddAndCommitConcurrently() async throws {
    let magic = try await open()
    let session = magic.session()
    try await withThrowingTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          session.add(Member("\(number)", "M"))
          if number % 4 == 0 {
            try await session.commit()
            // The commit has stored everything that was added before it.
            #expect(try await magic.has(of: Member.self, primary: "\(number)"))
          }
        }
      }
      try await group.waitForAll()
    }
    try await session.commit()
    #expect(session.isEmpty)
    #expect(try await members(magic).count == 40)
  }

  @Test func aCommitBesideAFailedOneStoresItsWork() async throws {
    let magic = try await open()
    try await magic.update(Member("taken", "T"))
    for number in 0..<30 {
      let session = magic.session()
      let outcomes = await withTaskGroup { group in
        for primary in ["taken", "\(number)"] {
          group.addTask {
            session.add(Member(primary, "M"))
            do {
              try await session.commit()
              return (primary, true)
            } catch {
              return (primary, false)
            }
          }
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(outcomes["taken"] == false && !session.isEmpty)
      let isStored = try await magic.has(of: Member.self, primary: "\(number)")
      #expect(isStored == outcomes["\(number)"])
    }
    #expect(try await magic.object(of: Member.self, primary: "taken").name == "T")
  }

  @Test func aCommitWaitsForTheCommitBeforeIt() async throws {
    let turn = SessionTurn()
    try await turn.begin()
    let cancelled = Task { try await turn.begin() }
    let order = Recorder<String>()
    let waiting = Task {
      try await turn.begin()
      order.note("second")
      turn.end()
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    order.note("first")
    turn.end()
    try await waiting.value
    #expect(order.all == ["first", "second"])
  }

  @Test func anInnerSessionCannotCommitAfterTheTransactionOfItsOuterSession() async throws {
    let magic = try await open()
    let kept = Mutex<MagicSession?>(nil)
    try await magic.withSession { session in
      let inner = session.session()
      kept.withLock { $0 = inner }
    }
    let inner = try #require(kept.withLock { $0 })
    inner.add(Member("a", "A"))
    let error = await #expect(throws: MagicError.self) { try await inner.commit() }
    #expect(error?.code == .transactionOver && !inner.isEmpty)
  }

  @Test func aTypeWhoseInitializerUsesTheSessionCanBeAdded() async throws {
    let magic = try await open()
    let session = magic.session()
    Curious.session.withLock { $0 = session }
    session.add(Curious())
    session.delete(Curious())
    session.rollback()
    #expect(session.isEmpty)
  }

  @Test func observersGetOneElementForACommit() async throws {
    let magic = try await open()
    let old = Member("old", "O")
    try await magic.update(old)
    let changes = magic.changes(of: Member.self)
    let session = magic.session()
    session.add(Member("a", "A"))
    session.delete(old)
    session.add(Member("b", "B"))
    try await session.commit()
    var iterator = changes.makeAsyncIterator()
    let change = try #require(await iterator.next())
    #expect(change.inserted.count == 2 && change.deleted.count == 1)
  }

  @MainActor @Test func aSessionIsUsedOnTheMainActor() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let session = magic.session()
    session.add(Member("a", "A"), Club("c"))
    try await session.commit()
    #expect(try await members(magic) == ["a"])
  }

  @Test func aSessionInATransactionFlushesAndReads() async throws {
    let magic = try await open()
    let old = Member("old", "O")
    try await magic.update(old)
    let count = try await magic.withSession { session in
      session.add(Member("a", "A"), Club("c"))
      let (before, isPending) = (try session.object(of: Member.self), !session.isEmpty)
      try session.flush()
      let isEmpty = session.isEmpty
      #expect(before.count == 1 && isPending && isEmpty)
      session.add(Member("x", "X"))
      session.rollback()
      let inner = session.session()
      inner.delete(old)
      try inner.commit()
      return try session.query(Member.self).count()
    }
    #expect(count == 2)
    #expect(try await members(magic) == ["a"])
  }

  @Test func aThrownErrorRollsBackFlushedWork() async throws {
    let magic = try await open()
    struct Failure: Error {}
    let (ada, club) = (Member("ada", "Ada"), Club("c"))
    await #expect(throws: Failure.self) {
      try await magic.withSession { session in
        session.add(ada, club)
        try session.flush()
        #expect(ada.zIndex != nil)
        throw Failure()
      }
    }
    #expect(ada.zIndex == nil && club.zIndex == nil)
    #expect(try await members(magic).isEmpty)
  }

  @Test func aFailedFlushKeepsTheWorkAndTheTransaction() async throws {
    let magic = try await open()
    // Otherwise an engine may run the body again, because it has no table yet.
    try await magic.update(Member("first", "F"))
    try await magic.removeAll(of: Member.self)
    let incomplete = Member("b")
    try await magic.withSession { session in
      session.add(Member("a", "A"), incomplete)
      #expect(throws: MagicError.self) { try session.flush() }
      let stored = try session.object(of: Member.self)
      #expect(stored.isEmpty)
      incomplete.name = "B"
    }
    #expect(try await members(magic) == ["a", "b"])
  }

  @Test func aStoreHasTheSameCalls() throws {
    let store = try MagicObjectStore.onTestedEngine(.file(scratch.file()))
    let session = store.session()
    session.add(Member("a", "A"), Club("c"))
    try session.commit()
    try store.withSession { $0.add(Member("b", "B")) }
    try store.transaction { transaction in
      try transaction.withSession { $0.add(Member("c", "C")) }
    }
    #expect(try store.object(of: Member.self).map(\.id) == ["a", "b", "c"])
  }

  @Test func aSessionOfAClosedDatabaseThrows() async throws {
    let magic = try await open()
    let session = magic.session()
    session.add(Member("a", "A"))
    await magic.close()
    let error = await #expect(throws: MagicError.self) { try await session.commit() }
    #expect(error?.code == .closed)
    #expect(!session.isEmpty)
  }

  @Test func aCancelledCommitKeepsTheWork() async throws {
    let magic = try await open()
    let session = magic.session()
    session.add(Member("a", "A"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await session.commit()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await members(magic).isEmpty)
    try await session.commit()
    #expect(try await members(magic) == ["a"])
  }
}

/// A type whose initializer uses a session.
private struct Curious: MagicObject {
  static let session = Mutex<MagicSession?>(nil)

  @MagicValue var wasEmpty: Bool

  init() { wasEmpty = Self.session.withLock { $0 }?.isEmpty ?? true }
}
