internal import GRDB
internal import Workloads

/// The database pools of the three engines.
enum Pool {
  /// The version of GRDB in the manifest of the package.
  static let version = "7.10.0"

  /// The pragmas of the C twin. GRDB itself turns on foreign keys and the write-ahead log.
  static func open(directory: String, durability: Durability) throws -> DatabasePool {
    var configuration = Configuration()
    // As long as the C twin waits for a lock. GRDB's default is not to wait.
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { db in
      // The pragma writes to the file, also when the file has the mode.
      if !db.configuration.readonly { try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
      try db.execute(
        sql: """
          PRAGMA recursive_triggers = ON; PRAGMA secure_delete = FAST;
          PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0
          """)
    }
    let pool = try DatabasePool(
      path: directory + "/grdb.sqlite3", configuration: configuration)
    try pool.writeWithoutTransaction { db in
      // The pool sets NORMAL when it opens, after the preparation.
      try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
      if try !db.tableExists("person") { try db.execute(sql: Schema.sql) }
    }
    return pool
  }

  /// Runs concurrent tasks, each with its part of the indices.
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

/// Records that a job changes in each run.
final class Stored<Record: Sendable>: @unchecked Sendable {
  var records: [Record]

  init(_ records: [Record]) { self.records = records }
}
