import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport
import Testing

/// Reads that a standby server answers.
@Suite(.requiresPostgreSQL, .serialized) struct ReplicaTests {
  /// The number of connections on a server that have read cities.
  private func readers(_ server: PostgreSQLServer) throws -> Int {
    try server.connect().execute(
      """
      SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() \
      AND backend_type = 'client backend' AND query LIKE '%SELECT%FROM "City"%'
      """
    ).count
  }

  @Test func aReadSeesWhatItsDatabaseHasWritten() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let options = PostgresOptions(replica: MagicReplica(standby.information, maxLag: 60))
    let magic = try await MagicData(postgres: primary.information, options: options)
    let control = try standby.connect()
    for index in 0..<100 {
      // The standby is behind in a half of the rounds.
      if index % 20 == 0 { try control.execute("SELECT pg_wal_replay_pause()") }
      if index % 20 == 10 { try control.execute("SELECT pg_wal_replay_resume()") }
      try await magic.update(City("\(index)"))
      #expect(try await magic.object(of: City.self).count == index + 1)
      let count = try await magic.transaction { try $0.object(of: City.self).count }
      #expect(count == index + 1)
    }
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func readsGoToTheStandbyIfItIsCurrentAndReachable() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let options = PostgresOptions(replica: MagicReplica(standby.information, maxLag: 60))
    let magic = try await MagicData(postgres: primary.information, options: options)
    try await magic.update(City("Oslo"))
    let end = Date(timeIntervalSinceNow: 20)
    while try readers(standby) == 0, Date() < end {
      #expect(try await magic.object(of: City.self).count == 1)
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    #expect(try readers(standby) > 0)
    try standby.kill()
    #expect(try await magic.object(of: City.self).count == 1)
    #expect(try readers(primary) > 0)
    await magic.close()
    primary.stop()
    standby.stop()
  }

  @Test func aStandbyThatIsTooOldIsNotAsked() async throws {
    let primary = try PostgreSQLServer()
    let writer = try await MagicData(postgres: primary.information)
    try await writer.update(City("Oslo"))
    let standby = try PostgreSQLServer(standbyOf: primary)
    let options = PostgresOptions(replica: MagicReplica(standby.information, maxLag: 0.2))
    let magic = try await MagicData(postgres: primary.information, options: options)
    try standby.connect().execute("SELECT pg_wal_replay_pause()")
    try await writer.update(City("Rome"))
    try await Task.sleep(nanoseconds: 300_000_000)
    // Another process has written, so that only the age shows that the standby is behind.
    #expect(try await magic.object(of: City.self).count == 2)
    await magic.close()
    await writer.close()
    primary.stop()
    standby.stop()
  }

  /// Nothing is written, so that the last transaction that the standby has becomes old.
  @Test func aStandbyOfAQuietServerAnswers() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let options = PostgresOptions(replica: MagicReplica(standby.information, maxLag: 0.5))
    let magic = try await MagicData(postgres: primary.information, options: options)
    try await magic.update(City("Oslo"))
    var answers = 0
    for round in 0..<100 {
      #expect(try await magic.object(of: City.self).count == 1)
      // The last statement of a connection is a check, if the standby was too old.
      if round >= 40, try readers(standby) > 0 { answers += 1 }
      try await Task.sleep(nanoseconds: 50_000_000)
    }
    #expect(answers > 10)
    await magic.close()
    primary.stop()
    standby.stop()
  }
}
