import MagicData
import MagicDataPostgres
import PostgreSQLTestSupport
import Testing

/// A server that ends at once, without telling its clients.
@Suite(.requiresPostgreSQL, .serialized, .timeLimit(.minutes(5))) struct CrashTests {
  private static let server = Result { try PostgreSQLServer(settings: ["wal_level=logical"]) }

  @Test(arguments: [Observed.log, .outbox])
  func callsAndObserversContinueAfterACrash(_ mode: Observed) async throws {
    let server = try Self.server.get()
    let magic = try await TestSchema(on: server).openMagicData(mode)
    try await magic.update(Match("0"))
    var values = magic.query(Match.self).values().makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    for round in 1...3 {
      // All connections of the pool are open and idle.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 { group.addTask { _ = try await magic.object(of: Match.self) } }
        try await group.waitForAll()
      }
      try server.crash()
      try server.start()
      for _ in 0..<8 { #expect(try await magic.object(of: Match.self).count == round) }
      try await magic.update(Match("\(round)"))
      while let value = try await values.next(), value.count <= round {}
    }
    await magic.close()
  }
}
