import FuzzTargets
import MagicDataPostgres
import MagicPostgreSQL
import MagicStore
import PostgreSQLTestSupport

extension SequenceEngine {
  /// The engine of the tests' server. Each path is a schema of its own.
  static func postgreSQL() throws -> SequenceEngine {
    let server = try PostgreSQLServer.shared.get()
    @Sendable func schema(_ path: String) -> String { String(path.suffix(50)) }
    return .postgreSQL { path in
      var options = PostgresOptions(schema: schema(path))
      options.readers = 1
      return try MagicObjectStore.open(postgres: server.information, options: options)
    } run: { path, sql, firesTriggers in
      let connection = try server.connect()
      defer { connection.close() }
      try connection.execute("SET search_path TO \"\(schema(path))\"")
      if !firesTriggers { try connection.execute("SET session_replication_role = replica") }
      try connection.execute(sql)
    }
  }
}
