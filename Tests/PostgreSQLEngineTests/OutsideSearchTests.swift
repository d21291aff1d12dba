import Foundation
import MagicAssets
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicRuntime
import MagicTestSupport
import PostgreSQLTestSupport
import Testing

private struct Memo: MagicObject {
  @PrimaryMagicValue(.rowID) var id: Int
  @MagicValue(.searchable) var text: String = ""

  init() {}
  init(_ id: Int, _ text: String) { (self.id, self.text) = (id, text) }
}

private struct Paper: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.searchable) var body: MagicAsset<String>

  init() { body = .init() }
  init(_ id: Int, _ text: String) {
    self.init()
    (self.id, body) = (id, .init(value: text))
  }
}

/// Searches while other programs change rows.
@Suite(.requiresPostgreSQL, .timeLimit(.minutes(5))) struct OutsideSearchTests {
  @Test(arguments: ["DELETE FROM \"Memo\" WHERE z_index = 5", "TRUNCATE \"Memo\""])
  func aNewRowHasTheRowIDOfARowThatAnotherProgramHasDeleted(_ sql: String) async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(contentsOf: (1...9).map { Memo($0, "before \($0)") })
    try schema.run(sql)
    try await magic.update(Memo(5, "after"))
    #expect(try await magic.query(Memo.self).matching("after").all().map(\.id) == [5])
    #expect(try await !magic.query(Memo.self).matching("before").all().map(\.id).contains(5))
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  /// The session notes the deletion before it has a table for its changed rows.
  @Test func aNewRowHasTheRowIDOfARowThatItsTransactionHasDeleted() async throws {
    let schema = try TestSchema()
    var magic = try await schema.openMagicData()
    try await magic.update(Memo(5, "before"))
    await magic.close()
    magic = try await schema.openMagicData()
    try await magic.transaction { transaction in
      try transaction.sql("DELETE FROM \"Memo\" WHERE z_index = 5").run()
      try transaction.update(Memo(5, "after"))
    }
    #expect(try await magic.query(Memo.self).matching("after").count() == 1)
    #expect(try await magic.query(Memo.self).matching("before").count() == 0)
    #expect(try await magic.verify().isSound)
    await magic.close()
  }

  /// Another program inserts several rows during each search.
  @Test func searchesEndWhileAnotherProgramWrites() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Memo(1, "row"))
    let isOver = Mutex(false)
    let writer = Task.detached {
      let connection = try schema.server.connect()
      try connection.execute("SET search_path TO \"\(schema.name)\"")
      var number = 1_000
      while !isOver.withLock({ $0 }) {
        number += 1
        try connection.execute(
          "INSERT INTO \"Memo\" (z_index, text) VALUES (\(number), 'row \(number)')")
        try await Task.sleep(nanoseconds: 1_000_000)
      }
      connection.close()
      return number - 1_000
    }
    var last = 0
    for _ in 0..<30 {
      let count = try await magic.query(Memo.self).matching("row").count()
      #expect(count >= last)
      last = count
      let (first, second) = try await magic.read { snapshot in
        (
          try snapshot.query(Memo.self).matching("row").count(),
          try snapshot.query(Memo.self).count()
        )
      }
      #expect(first == second)
    }
    isOver.withLock { $0 = true }
    let inserted = try await writer.value
    #expect(try await magic.query(Memo.self).matching("row").count() == inserted + 1)
    #expect(inserted > 30)
    await magic.close()
  }

  /// The index is updated, and the body runs again, also if it ignores the error of the search.
  @Test func aSnapshotThatIgnoresTheErrorOfASearchRunsAgain() async throws {
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    try await magic.update(Memo(1, "first"))
    try schema.run("UPDATE \"Memo\" SET text = 'outside'")
    let found = try await magic.read { snapshot in
      let found = try? snapshot.query(Memo.self).matching("outside").count()
      let all = try snapshot.query(Memo.self).count()
      return [found, all]
    }
    #expect(found == [1, 1])
    await magic.close()
  }

  @Test func aSearchOnAStandbyFindsTheRowsOfOtherPrograms() async throws {
    let primary = try PostgreSQLServer()
    let standby = try PostgreSQLServer(standbyOf: primary)
    let options = PostgresOptions(replica: MagicReplica(standby.information, maxLag: 60))
    let magic = try await MagicData(postgres: primary.information, options: options)
    try await magic.update(contentsOf: [Memo(1, "first"), Memo(2, "second")])
    for round in 0..<5 {
      try primary.connect().execute(
        "UPDATE \"Memo\" SET text = 'outside \(round)' WHERE z_index = 1")
      // The standby gets the changed row before the entries of the index.
      let position = try primary.connect().execute("SELECT pg_current_wal_lsn()").text(0, 0)
      let control = try standby.connect()
      while try control.execute("SELECT pg_last_wal_replay_lsn() < '\(position)'").text(0, 0) == "t"
      { try await Task.sleep(nanoseconds: 5_000_000) }
      #expect(try await magic.query(Memo.self).matching("outside \(round)").count() == 1)
      #expect(try await magic.query(Memo.self).matching("second").count() == 1)
    }
    await magic.close()
    primary.stop()
    standby.stop()
  }

  /// More text than is read at once.
  @Test func largeFilesAreIndexed() async throws {
    let magic = try await TestSchema().openMagicData()
    let spaces = String(repeating: " ", count: 7 << 20)
    try await magic.update(contentsOf: (1...6).map { Paper($0, "\(spaces)needle number\($0)") })
    #expect(try await magic.query(Paper.self).matching("needle").count() == 6)
    #expect(try await magic.query(Paper.self).matching("number6").all().map(\.id) == [6])
    #expect(try await magic.verify().isSound)
    await magic.close()
  }
}
