import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLQueries

/// The functions that queries call.
extension PostgreSQLDatabase {
  /// Creates the functions if the database has none, or those of an earlier version.
  func createFunctions(on connection: PostgreSQLConnection) throws {
    guard try version(of: connection) < Functions.version else { return }
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      // Two processes could replace the same function at the same time, which is an error.
      try connection.execute(Self.lock("magic.functions"))
      if try version(of: connection) < Functions.version {
        // They belong to the schema of the catalogue, wherever it is in the search path.
        if let schema = context.schema.withLock({ $0 }) {
          try connection.execute("SET LOCAL search_path TO \(schema.quoted)")
        }
        try connection.execute(Functions.create.joined(separator: ";\n"))
        try connection.execute(
          "CREATE OR REPLACE FUNCTION magic_functions() RETURNS bigint LANGUAGE sql IMMUTABLE "
            + "AS $magic$ SELECT \(Functions.version)::bigint $magic$")
      }
      try connection.commit()
    } catch {
      connection.rollBack()
      // Queries without functions run also if the user may not create them.
      guard error.sqlState == "42501" else { throw error }
    }
  }

  private func version(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    let exists = try connection.run(Self.selectFunction).integer(0, 0) == 1
    guard exists else { return 0 }
    return Int(try connection.run(Self.selectVersion).integer(0, 0))
  }

  private static let selectFunction = PostgreSQLStatement(
    "SELECT to_regproc('magic_functions') IS NOT NULL")
  private static let selectVersion = PostgreSQLStatement("SELECT magic_functions()")
}
