import MagicEngine
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLQueries

/// The functions that queries call.
extension PostgreSQLDatabase {
  /// Creates the functions if the database has none, or those of an earlier version.
  ///
  /// - Parameter schema: the schema of the catalogue. They belong to it, wherever it is in the search path.
  static func createFunctions(on connection: PostgreSQLConnection, in schema: String) throws {
    guard try version(of: connection) < Functions.version else { return }
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      // Two processes could replace the same function at the same time, which is an error.
      try connection.execute(lock("magic.functions"))
      if try version(of: connection) < Functions.version {
        try connection.execute("SET LOCAL search_path TO \(schema.quoted)")
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

  /// Lets the functions of triggers use the schema that contains them, after the schema was renamed or its
  /// tables were restored into another one. Otherwise they would use other tables, or none.
  static func updateSearchPaths(
    on connection: PostgreSQLConnection, in schema: String
  ) throws {
    let path = "quote_ident(\(schema.literal))"
    let select = """
      SELECT p.oid::regprocedure::text, p.prosecdef FROM pg_proc AS p WHERE p.pronamespace = \
      (SELECT oid FROM pg_namespace WHERE nspname = \(schema.literal)) AND p.prokind = 'f' \
      AND starts_with(p.proname, 'magic_') AND p.proconfig IS NOT NULL AND NOT p.proconfig && \
      ARRAY['search_path=' || \(path), 'search_path=' || \(path) || ', pg_temp'] ORDER BY 1
      """
    guard try connection.execute(select).count > 0 else { return }
    try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
    do {
      try connection.execute(lock("magic.functions"))
      let outdated = try connection.execute(select)
      for row in 0..<outdated.count {
        let temporary = outdated.text(row, 1) == "t" ? ", pg_temp" : ""
        try connection.execute(
          "ALTER FUNCTION \(outdated.text(row, 0)) SET search_path TO \(schema.quoted)\(temporary)")
      }
      try connection.commit()
    } catch {
      connection.rollBack()
      // The owner of the functions opens the database, too.
      guard error.sqlState == "42501" else { throw error }
    }
  }

  private static func version(of connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    let exists = try connection.run(selectFunction).integer(0, 0) == 1
    guard exists else { return 0 }
    return Int(try connection.run(selectVersion).integer(0, 0))
  }

  private static let selectFunction = PostgreSQLStatement(
    "SELECT to_regproc('magic_functions') IS NOT NULL")
  private static let selectVersion = PostgreSQLStatement("SELECT magic_functions()")
}
