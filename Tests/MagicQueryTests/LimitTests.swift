import EngineConformance
import Foundation
import MagicEngine
import MagicQuery
import MagicSQLite
import MagicStatements
import MagicTestSupport
import SQLiteStore
import Testing

/// Queries that are too large or invalid.
@Suite(.everyEngine) struct LimitTests {
  let test: TestStore

  init() throws { test = try TestStore.ofResidents() }

  @Test func aThousandTermsAreAccepted() throws {
    let first: MagicPredicate<Resident> = \.$age != 99
    let predicate = (100..<1_100).reduce(first) { left, age in left && \.$age != age }
    #expect(try test.store.query(Resident.self).where(predicate).count() == 4)
  }

  @Test(.timeLimit(.minutes(5))) func tooManyTermsAreAnError() throws {
    let term: MagicPredicate<Resident> = \.$age != 1
    let predicate = (0..<100_000).reduce(term) { left, _ in left && term }
    #expect(code { try test.store.query(Resident.self).where(predicate).count() } == .invalidQuery)
  }

  @Test func tooDeepAnExpressionIsAnErrorOnASmallStack() throws {
    let term: MagicPredicate<Resident> = \.$age == 18
    let endless = (0..<100_000).reduce(term) { predicate, _ in !(predicate && term) }
    let query = test.store.query(Resident.self).where(endless)
    let deepest = test.store.query(Resident.self)
      .where((0..<31).reduce(term) { predicate, _ in !(predicate && term) })
    let deep = test.store.query(Resident.self)
      .where((0..<20).reduce(term) { predicate, _ in !(predicate && term) })
    nonisolated(unsafe) var codes: (MagicError.Code?, MagicError.Code?, Int?)
    let done = DispatchSemaphore(value: 0)
    let small = Thread {
      codes = (code { try query.count() }, code { try deepest.count() }, try? deep.count())
      done.signal()
    }
    small.stackSize = 512 * 1024
    small.start()
    done.wait()
    #expect(codes.0 == .invalidQuery)
    // SQLite's parser may have a lower limit.
    #expect(codes.1 == nil || codes.1 == .invalidQuery)
    #expect(codes.2 == 4)
  }

  @Test func aTooLongPathOfRelationshipsIsAnError() throws {
    func query(_ rounds: Int) -> MagicQuery<Resident, MagicObjectStore> {
      test.store.query(Resident.self).where { row in
        var home = row.$home
        for _ in 0..<rounds { home = home.$owner.$home }
        return home.$street == nil
      }
    }
    #expect(try query(31).count() == 4)
    #expect(code { try query(32).count() } == .invalidQuery)
    #expect(code { try PreparedQuery(Resident.self, query(32).plan, .count) } == .invalidQuery)
    #expect(code { try query(10_000).count() } == .invalidQuery)
  }

  @Test func aKeyPathToSomethingElseThanAPropertyIsAnError() throws {
    #expect(
      code { try test.store.query(Nesting.self).where(\.inner.$name == "x").all() } == .invalidQuery
    )
    #expect(code { try test.store.query(Home.self).where(\.$members == []).all() } == .invalidQuery)
    #expect(code { try test.store.query(Home.self).select(\.$members).all() } == .invalidQuery)
  }

  @Test func aRowOutsideItsClosureIsAnError() throws {
    nonisolated(unsafe) var leaked: MagicRow<Resident>?
    _ = MagicQuery(Home.self).where { home in
      home.$members.contains { member in
        leaked = member
        return member.$age > 1
      }
    }
    let row = try #require(leaked)
    #expect(code { try test.store.query(Resident.self).where(row.$age > 1).all() } == .invalidQuery)
  }

  @Test func aValueThatCannotBeStoredIsAnError() throws {
    #expect(
      code { try test.store.query(Resident.self).where(\.$weight == .nan).all() } == .cannotEncode)
    #expect(
      code { try test.store.query(Resident.self).where(\.$weight < .nan).all() } == .cannotEncode)
  }

  @Test(.requires(.statements)) func similarQueriesShareAStatement() throws {
    let log = Recorder<String>()
    let test = try TestStore(options: MagicOptions(trace: { log.note($0) }))
    try test.store.update(Note("a", rank: 1))
    _ = try test.store.query(Note.self).where(\.$rank == 1).all()
    log.clear()
    for rank in 0..<3 {
      #expect(
        try test.store.query(Note.self).where(\.$rank == rank).all().count == (rank == 1 ? 1 : 0))
    }
    // A read of one statement begins no transaction.
    #expect(log.all.count == 3)
    #expect(Set(log.all).count == 1)
  }
}

struct Inner: Sendable {
  @MagicValue var name: String = ""
}

struct Nesting: MagicObject {
  @MagicValue var title: String = ""
  var inner = Inner()

  init() {}
}
