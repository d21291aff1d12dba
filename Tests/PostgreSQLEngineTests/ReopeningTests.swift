import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Objects of a database that was closed.
@Suite(.requiresPostgreSQL, .serialized) struct ReopeningTests {
  @Test func anObjectBelongsToTheDatabaseThatIsOpenedAgain() throws {
    let schema = try TestSchema()
    let match = Match("before")
    for round in 0..<3 {
      let store = try schema.open()
      match.place = "\(round)"
      try store.update(match)
      #expect(try store.object(of: Match.self).map(\.place) == ["\(round)"])
      store.close()
    }
  }

  @Test func anObjectThatWasOnlyReadBelongsToItToo() async throws {
    let schema = try TestSchema()
    let first = try await schema.openMagicData()
    try await first.update(Match("Oslo"))
    await first.close()
    let second = try await schema.openMagicData()
    let match = try #require(try await second.object(of: Match.self).first)
    await second.close()
    let third = try await schema.openMagicData()
    match.place = "Rome"
    try await third.update(match)
    #expect(try await third.object(of: Match.self).map(\.place) == ["Rome"])
    await third.close()
  }

  @Test func anObjectOfADatabaseThatIsStillOpenIsNewForAnotherOne() throws {
    let schema = try TestSchema()
    let (first, second) = (try schema.open(), try schema.open())
    let match = Match("Oslo")
    try first.update(match)
    try second.update(match)
    #expect(try second.object(of: Match.self).count == 2)
    first.close()
    second.close()
  }

  @Test func anObjectIsNewForASchemaThatWasCreatedAgain() throws {
    let schema = try TestSchema()
    let match = Match("Oslo")
    for _ in 0..<2 {
      let store = try schema.open()
      try store.update(match)
      #expect(try store.object(of: Match.self).map(\.place) == ["Oslo"])
      store.close()
      try schema.run("DROP SCHEMA \(schema.name.quoted) CASCADE")
    }
  }

  @Test func anObjectIsNewForAnotherSchema() throws {
    let (one, other) = (try TestSchema(), try TestSchema())
    let match = Match("Oslo")
    for schema in [one, other] {
      let store = try schema.open()
      try store.update(match)
      #expect(try store.object(of: Match.self).count == 1)
      store.close()
    }
  }
}
