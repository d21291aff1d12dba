internal import GRDB
internal import Workloads

/// How each of the three engines opens its database.
enum Pool {
  /// Of the package, as its manifest asks for it.
  static let version = "7.10.0"

  /// The pragmas of the C twin. GRDB itself turns on foreign keys and the write-ahead log.
  static func open(directory: String, durability: Durability) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA recursive_triggers = ON; PRAGMA secure_delete = FAST;
          PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0
          """)
    }
    let pool = try DatabasePool(
      path: directory + "/grdb.sqlite3", configuration: configuration)
    try pool.writeWithoutTransaction { db in
      // A pool that opens sets NORMAL, after what is prepared.
      try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
      if try !db.tableExists("person") { try db.execute(sql: Schema.sql) }
    }
    return pool
  }

  /// So many tasks at once, each with its part of the indices.
  static func tasks(
    _ tasks: Int, of count: Int,
    _ work: @Sendable @escaping (StrideTo<Int>) async throws -> Checksum
  ) async throws -> Checksum {
    try await withThrowingTaskGroup(of: Checksum.self) { group in
      for task in 0..<tasks {
        group.addTask { try await work(stride(from: task, to: count, by: tasks)) }
      }
      var sum = Checksum()
      for try await checksum in group { sum.add(checksum) }
      return sum
    }
  }
}

/// Records that a job changes each time it is done.
final class Stored<Record: Sendable>: @unchecked Sendable {
  var records: [Record]

  init(_ records: [Record]) { self.records = records }
}
