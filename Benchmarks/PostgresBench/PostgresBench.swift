import CPostgresTwin
import Foundation
import MagicData
import MagicDataPostgres

/// Compares the library with programs in C over libpq, on one server of PostgreSQL:
///
///     postgres-bench "host=/tmp/pg dbname=postgres" 5 P2
///
/// The second argument is the number of rounds, whose median is reported; the third one selects the
/// workloads whose names begin with it, or `scaling` for growing numbers of rows. The database is emptied.
@main struct PostgresBench {
  let connection: String
  let rounds: Int
  let selected: String
  let magic: MagicData

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2, twin_load() == 0 else {
      print("usage: postgres-bench CONNECTION [ROUNDS [WORKLOAD]], with libpq installed")
      exit(2)
    }
    let magic = try await MagicData(postgres: arguments[1])
    let bench = PostgresBench(
      connection: arguments[1], rounds: arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3,
      selected: arguments.count > 3 ? arguments[3] : "", magic: magic)
    try await bench.prepare()
    if bench.selected == "scaling" {
      try await bench.measureGrowth()
    } else {
      try await bench.runAll()
    }
    await magic.close()
  }

  func sql(_ text: String) throws {
    guard twin_run(connection, text) >= 0 else { throw BenchError(text) }
  }

  struct BenchError: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// Creates the tables of the library, and tables with the same definition for the twin.
  private func prepare() async throws {
    try await magic.update(Person(0))
    try await magic.update(Team(0, members: 1))
    for (table, twin) in [
      ("\"Person\"", "twin_person"), ("\"Team\"", "twin_team"), ("\"Player\"", "twin_player"),
    ] {
      try sql("DROP TABLE IF EXISTS \(twin) CASCADE")
      try sql("CREATE TABLE \(twin) (LIKE \(table) INCLUDING ALL)")
    }
    try sql("DROP TABLE IF EXISTS twin_members")
    try sql(
      """
      CREATE TABLE twin_members (
        owner bigint NOT NULL REFERENCES twin_team DEFERRABLE INITIALLY DEFERRED,
        position bigint NOT NULL,
        target bigint NOT NULL REFERENCES twin_player DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (owner, position))
      """)
    try sql("CREATE INDEX ON twin_members (target, owner)")
  }

  func empty() throws {
    try sql("TRUNCATE \"Person\", \"Team\", \"Player\" CASCADE")
    try sql("TRUNCATE twin_person, twin_team, twin_player, twin_members CASCADE")
    try sql("CHECKPOINT")
  }

  func seconds(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let time = try await clock.measure { try await body() }
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  /// Measures the twin and the library in turn, and prints the medians.
  func compare(
    _ name: String, _ count: Int, prepare: () async throws -> Void = {},
    twin: () -> Double, library: () async throws -> Void
  ) async throws {
    guard name.hasPrefix(selected) else { return }
    var (twins, own): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      try await prepare()
      let time = twin()
      guard time >= 0 else { throw BenchError("The twin of \(name) has failed.") }
      twins.append(time)
      own.append(try await seconds(library))
    }
    func micros(_ times: [Double]) -> Double {
      times.sorted()[times.count / 2] / Double(count) * 1e6
    }
    print(
      String(
        format: "| %@ | %.2f | %.2f | %.2f |", name, micros(twins), micros(own),
        micros(own) / micros(twins)))
  }

  /// Whether the rows that a workload leaves are missing, because it was not measured.
  private func misses(_ workload: String) -> Bool { !workload.hasPrefix(selected) }

  func check(_ first: Double, _ second: Double) throws {
    guard abs(first - second) < 0.001 else { throw BenchError("The checksums differ.") }
  }

  private func runAll() async throws {
    print("| workload | C over libpq, µs | MagicData, µs | ratio |\n|---|---|---|---|")
    try await insertAndRead()
    try await save()
    try await teams()
    try await search()
    try await orders()
  }

  private func insertAndRead() async throws {
    let count = 100_000
    let holder = Holder<[Person]>([])
    try await compare(
      "P1 insert 100,000 in one transaction", count,
      prepare: {
        try empty()
        holder.value = (0..<count).map { Person($0) }
      }, twin: { twin_insert(connection, Int32(count)) },
      library: { try await magic.update(contentsOf: holder.value) })
    if misses("P1") {
      try empty()
      _ = twin_insert(connection, Int32(count))
      try await magic.update(contentsOf: (0..<count).map { Person($0) })
    }
    holder.value = []
    try sql("VACUUM ANALYZE")
    var checksum = 0.0
    try await compare(
      "P3 fetch 100,000, every value read", count, twin: { twin_fetch(connection, &checksum) },
      library: {
        var sum = 0.0
        for person in try await magic.object(of: Person.self) { sum += person.sum }
        try check(checksum, sum)
      })
    for tasks in [1, 64] {
      let looked = 12_800
      try await compare(
        "P2 look up by primary, \(tasks) task\(tasks > 1 ? "s" : "")", looked,
        twin: { twin_look_up(connection, Int32(looked), Int32(looked), Int32(tasks), &checksum) },
        library: {
          let sum = try await lookUp(looked, among: looked, tasks)
          try check(checksum, sum)
        })
    }
  }

  /// Looks people up, at places all over the first `size` ones.
  func lookUp(_ count: Int, among size: Int, _ tasks: Int) async throws -> Double {
    try await withThrowingTaskGroup(of: Double.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var sum = 0.0
          for index in stride(from: task, to: count, by: tasks) {
            let name = "person \(index * 7919 % size)"
            sum += try await magic.object(of: Person.self, primary: name).sum
          }
          return sum
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func save() async throws {
    let (tasks, each) = (64, 50)
    let save: () async throws -> Void = {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for index in 0..<each { try await magic.update(Person(task * each + index)) }
          }
        }
        try await group.waitForAll()
      }
    }
    try await compare(
      "P4 durable saves by 64 tasks; C: 64 connections", tasks * each, prepare: { try empty() },
      twin: { twin_save_in_threads(connection, Int32(tasks), Int32(each)) }, library: save)
    try await compare(
      "P4 durable saves by 64 tasks; C: 64 in one pipeline", tasks * each,
      prepare: { try empty() },
      twin: { twin_save_in_pipelines(connection, Int32(tasks * each), Int32(tasks)) },
      library: save)
  }

  private func teams() async throws {
    let (teams, members) = (5_000, 10)
    let rows = teams * (members + 1)
    let holder = Holder<[Team]>([])
    try await compare(
      "P5 save 5,000 teams of 10, per row", rows,
      prepare: {
        try empty()
        holder.value = (0..<teams).map { Team($0, members: members) }
      }, twin: { twin_insert_teams(connection, Int32(teams), Int32(members)) },
      library: { try await magic.update(contentsOf: holder.value) })
    if misses("P5 save"), selected.hasPrefix("P5") {
      try empty()
      _ = twin_insert_teams(connection, Int32(teams), Int32(members))
      try await magic.update(contentsOf: (0..<teams).map { Team($0, members: members) })
    }
    holder.value = []
    try sql("VACUUM ANALYZE")
    var checksum = 0.0
    try await compare(
      "P5 fetch them, every value read, per row", rows,
      twin: { twin_fetch_teams(connection, &checksum) },
      library: {
        var sum = 0.0
        for team in try await magic.object(of: Team.self) {
          sum += Double(team.name.utf8.count)
          for member in team.members { sum += Double(member.name.utf8.count) }
        }
        try check(checksum, sum)
      })
  }
}

/// A value that closures share.
final class Holder<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
