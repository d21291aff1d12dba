import Foundation
import MagicData
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport

final class City: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var name: String
  @MagicValue var population: Int = 0
  @OptionMagicValue(.unique) var code: String?

  init() {}
  init(_ name: String, population: Int = 0) {
    self.name = name
    self.population = population
  }
}

final class Ticket: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var number: Int
  @MagicValue var title: String = ""
  @MagicVersion var version: Int

  init() {}
  init(_ title: String) { self.title = title }
}

final class Team: MagicObject, @unchecked Sendable {
  @MagicValue var name: String = ""
  @MagicValue var members: [Player] = []
  @MagicValue var fans: MagicalSet<Player> = []
  @MagicValue var roles: [String: Player] = [:]
  @MagicValue(.onDelete(.cascade)) var matches: [Match] = []

  init() {}
  init(_ name: String, _ members: [Player] = []) {
    self.name = name
    self.members = members
  }
}

final class Player: MagicObject, Hashable, @unchecked Sendable {
  @MagicValue var name: String = ""
  @OptionMagicValue var partner: Player?
  @OptionMagicValue(.onDelete(.deny)) var home: City?

  init() {}
  init(_ name: String) { self.name = name }

  static func == (left: Player, right: Player) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class Match: MagicObject, @unchecked Sendable {
  @MagicValue var place: String = ""

  init() {}
  init(_ place: String) { self.place = place }
}

/// A schema of its own on the server of the tests.
struct TestSchema {
  let server: PostgreSQLServer
  let name = "test \(UUID().uuidString)"

  init() throws { server = try PostgreSQLServer.shared.get() }

  init(on server: PostgreSQLServer) { self.server = server }

  private var options: PostgresOptions { PostgresOptions(schema: name, readers: 2) }

  /// Opens a database with a way of observation.
  func openMagicData(_ observed: Observed) async throws -> MagicData {
    var options = options
    options.observation = observed.observation
    return try await MagicData(postgres: server.information, options: options)
  }

  /// Opens a database. Each call opens another one, as in another process.
  func open(migrationTimeout: Double = 5) throws -> MagicObjectStore {
    var options = options
    options.migrationTimeout = migrationTimeout
    return try MagicObjectStore.open(postgres: server.information, options: options)
  }

  func openMagicData() async throws -> MagicData {
    try await MagicData(postgres: server.information, options: options)
  }

  /// Runs SQL beside the library.
  @discardableResult
  func run(_ sql: String) throws -> PostgreSQLResult {
    let connection = try server.connect()
    defer { connection.close() }
    try connection.execute("SET search_path TO \"\(name)\"")
    return try connection.execute(sql)
  }

  /// Locks a table until the returned connection is closed.
  func lock(_ table: String) throws -> PostgreSQLConnection {
    let connection = try server.connect()
    try connection.execute(
      "SET search_path TO \"\(name)\"; BEGIN; LOCK TABLE \"\(table)\" IN ACCESS EXCLUSIVE MODE")
    return connection
  }

  /// Whether a statement waits for the lock of a table.
  func isAwaited(_ table: String) throws -> Bool {
    try run("SELECT FROM pg_locks WHERE relation = '\"\(table)\"'::regclass AND NOT granted").count
      > 0
  }

  /// Ends the connections of the other sessions that use the schema.
  func endConnections() throws {
    try run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
      """)
  }
}

/// Returns the code of the error that a body throws.
func code(_ body: () throws -> Void) -> MagicError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? MagicError)?.code
  }
}

func code(_ body: () async throws -> Void) async -> MagicError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? MagicError)?.code
  }
}

/// Types with primaries of other types than text.
final class Counter: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue(.rowID) var number: Int
  @MagicValue var level: Int = 0

  init() {}
  init(_ number: Int) { (self.number, level) = (number, number) }
}

final class Device: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var id: UUID
  @MagicValue var level: Int

  init() {}
  init(_ id: UUID, _ level: Int) { (self.id, self.level) = (id, level) }
}

final class Parcel: MagicObject, @unchecked Sendable {
  @PrimaryMagicValue var code: UInt16
  @MagicValue var level: Int = 0

  init() {}
  init(_ code: UInt16, _ level: Int) { (self.code, self.level) = (code, level) }
}
