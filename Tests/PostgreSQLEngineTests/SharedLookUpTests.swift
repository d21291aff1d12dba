import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicTestSupport
import PostgreSQLEngine
import PostgreSQLTestSupport
import Testing

final class Gauge: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var name: String
  @MagicValue var level: Int8 = 0

  init() {}
  init(_ name: String, level: Int8 = 0) {
    self.name = name
    self.level = level
  }
}

/// Lookups of many tasks, which share connections and messages.
@Suite(.requiresPostgreSQL) struct SharedLookUpTests {
  private static let count = 40

  private func open(_ schema: TestSchema) async throws -> MagicData {
    let magic = try await schema.openMagicData()
    try await magic.update(
      contentsOf: (0..<Self.count).map { Gauge("gauge \($0)", level: Int8($0)) })
    return magic
  }

  /// Looks gauges up in tasks, several times each.
  ///
  /// - Returns: the codes of the errors, by the index of the gauge.
  private func lookUp(
    _ magic: MagicData, _ indexes: Range<Int>
  ) async -> [Int: Set<MagicError.Code>] {
    await withTaskGroup(of: (Int, Set<MagicError.Code>).self) { group in
      for index in indexes {
        group.addTask {
          var codes = Set<MagicError.Code>()
          for _ in 0..<20 {
            do {
              let gauge = try await magic.object(of: Gauge.self, primary: "gauge \(index)")
              #expect(gauge.name == "gauge \(index)" && gauge.level == Int8(index))
            } catch {
              codes.insert((error as? MagicError)?.code ?? .database)
            }
          }
          return (index, codes)
        }
      }
      var codes: [Int: Set<MagicError.Code>] = [:]
      for await (index, found) in group where !found.isEmpty { codes[index] = found }
      return codes
    }
  }

  @Test func eachTaskGetsItsObject() async throws {
    let magic = try await open(TestSchema())
    let codes = await lookUp(magic, 0..<Self.count + 5)
    // There are no other gauges.
    #expect(Set(codes.keys) == Set(Self.count..<Self.count + 5))
    #expect(codes.values.allSatisfy { $0 == [.notFound] })
    await magic.close()
  }

  @Test func aValueThatCannotBeReadFailsOnlyItsTask() async throws {
    let schema = try TestSchema()
    let magic = try await open(schema)
    try schema.run("UPDATE \"Gauge\" SET level = 1000 WHERE name IN ('gauge 3', 'gauge 17')")
    let codes = await lookUp(magic, 0..<Self.count)
    #expect(codes == [3: [.cannotDecode], 17: [.cannotDecode]])
    await magic.close()
  }

  @Test func lookUpsFindTheTableOfAnotherProcessThatHasMigratedIt() async throws {
    let schema = try TestSchema()
    let magic = try await open(schema)
    #expect(await lookUp(magic, 0..<Self.count).isEmpty)
    // The prepared statements of all connections become invalid.
    try schema.run("ALTER TABLE \"Gauge\" RENAME TO other")
    try schema.run("CREATE TABLE \"Gauge\" (LIKE other INCLUDING ALL)")
    try schema.run("INSERT INTO \"Gauge\" SELECT * FROM other; DROP TABLE other CASCADE")
    #expect(await lookUp(magic, 0..<Self.count).isEmpty)
    await magic.close()
  }

  @Test func lookUpsContinueAfterTheirConnectionsWereLost() async throws {
    let server = try PostgreSQLServer()
    let schema = TestSchema(on: server)
    let magic = try await open(schema)
    #expect(await lookUp(magic, 0..<Self.count).isEmpty)
    try schema.endConnections()
    #expect(await lookUp(magic, 0..<Self.count).isEmpty)
    await magic.close()
  }

  @Test func bodiesOfReadsRunOnceAmongLookUps() async throws {
    let magic = try await open(TestSchema())
    let runs = Recorder<Int>()
    async let codes = lookUp(magic, 0..<Self.count)
    for _ in 0..<50 {
      try await magic.read { snapshot in
        runs.note(1)
        _ = try snapshot.object(of: Gauge.self, primary: "gauge 1")
      }
    }
    #expect(runs.count == 50)
    #expect(await codes.isEmpty)
    await magic.close()
  }

  @Test func cancelledLookUpsEndAndOthersContinue() async throws {
    let magic = try await open(TestSchema())
    let tasks = (0..<Self.count).map { index in
      Task {
        while true { _ = try await magic.object(of: Gauge.self, primary: "gauge \(index)") }
      }
    }
    async let codes = lookUp(magic, 0..<Self.count)
    for task in tasks { task.cancel() }
    for task in tasks {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(await codes.isEmpty)
    await magic.close()
  }

  @Test func lookUpsOfManyTasksShareMessages() async throws {
    let schema = TestSchema(on: try PostgreSQLServer(settings: ["autovacuum=off"]))
    let magic = try await open(schema)
    #expect(await lookUp(magic, 0..<Self.count).isEmpty)
    await magic.close()
    // The server processes count their transactions when they end.
    let others = """
      SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      """
    #expect(try await eventually { try schema.run(others).count == 0 })
    // The lookups of a message are one transaction.
    let statistics = try schema.run(
      "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
    let transactions = try #require(Int(statistics.text(0, 0)))
    #expect((20..<Self.count * 20 / 2).contains(transactions))
  }

  @Test func lookUpsByPrimariesOfAllTypesRunTogether() async throws {
    let schema = try TestSchema()
    let statements = Recorder<String>()
    var settings = PostgreSQLSettings(schema.server.information)
    settings.schema = schema.name
    settings.readers = 2
    settings.trace = { statements.note($0) }
    let magic = MagicData(try PostgreSQLDatabase(settings))
    let ids = (0..<Self.count).map { _ in UUID() }
    try await magic.update(contentsOf: (0..<Self.count).map { Gauge("\($0)", level: Int8($0)) })
    try await magic.update(contentsOf: (1...Self.count).map { Counter($0) })
    try await magic.update(contentsOf: ids.enumerated().map { Device($1, $0) })
    try await magic.update(contentsOf: (0..<Self.count).map { Parcel(UInt16($0 * 1_000), $0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<Self.count {
        group.addTask {
          for _ in 0..<20 {
            let gauge = try await magic.object(of: Gauge.self, primary: "\(index)")
            #expect(gauge.level == Int8(index))
            let counter = try await magic.object(of: Counter.self, primary: index + 1)
            #expect(counter.level == index + 1)
            let device = try await magic.object(of: Device.self, primary: ids[index])
            #expect(device.level == index)
            let parcel = try await magic.object(
              of: Parcel.self, primary: UInt16(index * 1_000))
            #expect(parcel.level == index)
            #expect(try await magic.has(of: Counter.self, primary: index * 2) == (1...20 ~= index))
          }
        }
      }
      try await group.waitForAll()
    }
    let together = statements.all.filter { $0.contains("WITH ORDINALITY") }
    for type in ["Gauge", "Counter", "Device", "Parcel"] {
      #expect(together.contains { $0.contains("\"\(type)\"") }, "\(type)")
    }
    #expect(together.contains { $0.hasPrefix("SELECT v.n") })
    await magic.close()
  }

  /// Runs a body on each of several connections, which all stay in use until their flags are set.
  private func occupy(
    _ magic: MagicData, until ends: [Flag],
    _ body: @escaping @Sendable (borrowing MagicSnapshot) throws -> Void = { _ in }
  ) async -> [Task<Void, any Error>] {
    let started = Recorder<Int>()
    let reads = ends.map { end in
      Task {
        try await magic.read { snapshot in
          try body(snapshot)
          started.note(1)
          end.wait()
        }
      }
    }
    #expect(await eventually { started.count == ends.count })
    return reads
  }

  @Test func otherReadsDoNotWaitForLookUpsInALockedTable() async throws {
    let schema = try TestSchema()
    let readers = 7
    let magic = try await MagicData(
      postgres: schema.server.information,
      options: PostgresOptions(schema: schema.name, readers: readers))
    try await magic.update(contentsOf: (0..<5).map { Gauge("gauge \($0)", level: Int8($0)) })
    try await magic.update(City("Oslo"))
    // All connections prepare the statement of the lookups.
    let all = Flag()
    let first = await occupy(magic, until: [Flag](repeating: all, count: readers)) {
      _ = try $0.object(of: Gauge.self, primary: "gauge 1")
    }
    all.set()
    for read in first { try await read.value }
    let lock = try schema.lock("Gauge")
    // All connections are in use, so that the lookups wait together for the first one. There are
    // fewer lookups than connections.
    let ends = (0..<readers).map { _ in Flag() }
    let reads = await occupy(magic, until: ends)
    async let codes = lookUp(magic, 0..<5)
    try await Task.sleep(for: .milliseconds(100))
    ends[0].set()
    #expect(try await eventually { try schema.isAwaited("Gauge") })
    for end in ends { end.set() }
    let isRead = Flag()
    async let cities = { () async throws -> Int in
      defer { isRead.set() }
      return try await magic.object(of: City.self).count
    }()
    #expect(await eventually { isRead.isSet })
    lock.close()
    #expect(try await cities == 1)
    #expect(await codes.isEmpty)
    for read in reads { try await read.value }
    await magic.close()
  }

  @Test func onlyLookUpsWaitForLookUpsThatTakeLong() async throws {
    let schema = try TestSchema()
    let readers = 7
    var settings = PostgreSQLSettings(schema.server.information)
    settings.schema = schema.name
    settings.readers = readers
    settings.lookUpMilliseconds = 600_000
    settings.typeCheckNanoseconds = .max
    let magic = MagicData(try PostgreSQLDatabase(settings))
    try await magic.update(contentsOf: (0..<5).map { Gauge("gauge \($0)", level: Int8($0)) })
    try await magic.update(City("Oslo"))
    // All connections prepare the statements of the lookups.
    let all = Flag()
    let first = await occupy(magic, until: [Flag](repeating: all, count: readers)) {
      _ = try $0.object(of: Gauge.self, primary: "gauge 1")
      _ = try $0.object(of: City.self, primary: "Oslo")
    }
    all.set()
    for read in first { try await read.value }
    let lock = try schema.lock("Gauge")
    let ends = (0..<readers).map { _ in Flag() }
    let reads = await occupy(magic, until: ends)
    async let codes = lookUp(magic, 0..<5)
    try await Task.sleep(for: .milliseconds(100))
    for end in ends { end.set() }
    #expect(try await eventually { try schema.isAwaited("Gauge") })
    for read in reads { try await read.value }
    let found = Recorder<String>()
    let lookUps = (0..<10).map { _ in
      Task { found.note(try await magic.object(of: City.self, primary: "Oslo").name) }
    }
    let counts = Recorder<Int>()
    let others = (0..<10).map { _ in
      Task { counts.note(try await magic.object(of: City.self).count) }
    }
    #expect(await eventually { counts.count == others.count })
    #expect(found.count == 0)
    lock.close()
    for task in others + lookUps { try await task.value }
    #expect(found.count == lookUps.count)
    #expect(await codes.isEmpty)
    await magic.close()
  }

  @Test func statementsThatRunOnceDoNotStayPrepared() async throws {
    let schema = try TestSchema()
    let magic = try await MagicData(
      postgres: schema.server.information, options: PostgresOptions(schema: schema.name, readers: 1)
    )
    try await magic.update(City("Oslo"))
    for _ in 0..<4 {
      for number in 0..<64 {
        #expect(try await magic.sql("SELECT \(number)").value(Int.self) == number)
      }
      #expect(try await magic.query(City.self).count() == 1)
    }
    let prepared = try await magic.sql("SELECT count(*) FROM pg_prepared_statements").value(
      Int.self)
    #expect((1..<64).contains(prepared ?? 0))
    await magic.close()
  }

  @Test func statementsOfForgottenTypesDoNotStayPrepared() async throws {
    struct Refused: Error {}
    let schema = try TestSchema()
    let magic = try await schema.openMagicData()
    for number in 0..<100 {
      await #expect(throws: Refused.self) {
        // The rollback removes the new table.
        try await magic.transaction { transaction in
          try transaction.update(City("Oslo", population: number))
          #expect(try transaction.object(of: City.self, primary: "Oslo").population == number)
          throw Refused()
        }
      }
    }
    let prepared = try await magic.transaction { transaction in
      try transaction.sql("SELECT count(*) FROM pg_prepared_statements").value(Int.self)
    }
    #expect((1..<128).contains(prepared ?? 0))
    await magic.close()
  }
}
