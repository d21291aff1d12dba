import MagicPostgreSQL
import MagicSchema

/// The publication of a database's tables, from which logical decoding reads.
///
/// The tables have the replica identity `FULL`: the log then contains the rows before their changes, so
/// that the changed columns of other processes are known.
enum Publication {
  private static let selectState = PostgreSQLStatement(
    """
    SELECT n.number::bigint, p.oid IS NOT NULL, coalesce(pg_has_role(p.pubowner, 'USAGE'), true), \
    to_regclass('magic_outbox') IS NOT NULL FROM (SELECT \(StreamCatalogue.schemaNumber) AS number) AS n \
    LEFT JOIN pg_publication AS p ON p.pubname = 'magic_' || n.number
    """)

  /// The state of the server's objects for observers.
  struct State {
    let name: String
    let exists: Bool
    let isOwned: Bool
    let hasOutbox: Bool

    init(on connection: PostgreSQLConnection) throws {
      let result = try connection.run(Publication.selectState)
      name = "magic_\(result.integer(0, 0))"
      exists = result.integer(0, 1) != 0
      isOwned = result.integer(0, 2) != 0
      hasOutbox = result.integer(0, 3) != 0
    }
  }

  /// The tables of types and collections that the publication lacks, or whose replica identity is
  /// another one.
  private static let selectMissing = PostgreSQLStatement(
    """
    SELECT c.relname::text, c.relreplident = 'f', r.prrelid IS NOT NULL FROM pg_class AS c \
    LEFT JOIN pg_publication AS p ON p.pubname = 'magic_' || c.relnamespace \
    LEFT JOIN pg_publication_rel AS r ON r.prpubid = p.oid AND r.prrelid = c.oid \
    WHERE c.relnamespace = \(StreamCatalogue.schemaNumber) AND c.relkind = 'r' AND c.relname::text IN \
    (SELECT table_name FROM magic_types UNION SELECT join_table FROM magic_relationships) \
    AND (r.prrelid IS NULL OR c.relreplident <> 'f') ORDER BY 1
    """)

  /// Creates the publication, and adds the tables that it lacks.
  ///
  /// - Returns: the name of the publication.
  static func prepare(on connection: PostgreSQLConnection, isReadOnly: Bool) throws -> String {
    var state = try State(on: connection)
    if !state.exists {
      guard !isReadOnly else {
        throw PostgreSQLError(
          .refused, "A database that is only read cannot create a publication.", sqlState: "25006")
      }
      try connection.withWritingLocked {
        state = try State(on: connection)
        if !state.exists { try connection.execute("CREATE PUBLICATION \(state.name.quoted)") }
      }
    }
    guard !isReadOnly, state.isOwned else { return state.name }
    // One transaction for each table holds the lock of one table only, so that no deadlock is possible.
    while try connection.run(selectMissing).count > 0 {
      try connection.withWritingLocked { try addTables(state.name, on: connection, atMost: 1) }
    }
    return state.name
  }

  /// Adds the tables that the publication lacks.
  static func addTables(
    _ publication: String, on connection: PostgreSQLConnection, atMost limit: Int = .max
  ) throws {
    let missing = try connection.run(selectMissing)
    for row in 0..<min(limit, missing.count) {
      let table = missing.text(row, 0).quoted
      if missing.integer(row, 1) == 0 {
        try connection.execute("ALTER TABLE \(table) REPLICA IDENTITY FULL")
      }
      if missing.integer(row, 2) == 0 {
        try connection.execute("ALTER PUBLICATION \(publication.quoted) ADD TABLE \(table)")
      }
    }
  }
}
