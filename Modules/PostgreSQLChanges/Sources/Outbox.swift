import MagicPostgreSQL
import MagicSchema

/// The outbox: a table to which triggers write the changed rows of each transaction, while there are
/// observers that read it.
enum Outbox {
  private static let names = ["insert", "update", "delete", "truncate"]

  /// Creates the tables and the function of the triggers, unless they exist.
  ///
  /// Rows are written while an observer exists. That of a process that has ended without removing it is
  /// ignored after two minutes: longer than the minute after which a process considers its own as removed,
  /// so that no process misses rows without noticing it.
  ///
  /// The function runs with the rights of its owner, because another user may change the tables. The
  /// rows have the binary form of `record_send`.
  static func create(on connection: PostgreSQLConnection) throws {
    let schema = try connection.run(selectSchema)
    let (name, channel) = (schema.text(0, 0), schema.text(0, 1))
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS magic_outbox (\
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(), \
      source oid NOT NULL, operation text NOT NULL, row bytea);
      CREATE INDEX IF NOT EXISTS magic_outbox_transaction ON magic_outbox (transaction);
      CREATE TABLE IF NOT EXISTS magic_observers (\
      id uuid PRIMARY KEY, position xid8 NOT NULL, seen timestamptz NOT NULL DEFAULT clock_timestamp());
      CREATE OR REPLACE FUNCTION magic_record() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER \
      SET search_path = \(name.quoted), pg_temp AS $magic$ BEGIN
      IF NOT EXISTS (SELECT FROM magic_observers WHERE seen > now() - interval '2 minutes') \
      THEN RETURN NULL; END IF;
      IF TG_OP IN ('UPDATE', 'DELETE') THEN
      INSERT INTO magic_outbox (source, operation, row) \
      SELECT TG_RELID, 'D', record_send(r) FROM magic_old AS r;
      END IF;
      IF TG_OP IN ('INSERT', 'UPDATE') THEN
      INSERT INTO magic_outbox (source, operation, row) \
      SELECT TG_RELID, 'I', record_send(r) FROM magic_new AS r;
      END IF;
      IF TG_OP = 'TRUNCATE' THEN
      INSERT INTO magic_outbox (source, operation) VALUES (TG_RELID, 'T');
      END IF;
      PERFORM pg_notify(\(channel.literal), '');
      RETURN NULL;
      END $magic$
      """)
  }

  private static let selectSchema = PostgreSQLStatement(
    """
    SELECT n.nspname::text, 'magic_' || n.oid FROM pg_namespace AS n \
    WHERE n.oid = \(StreamCatalogue.schemaNumber)
    """)

  /// The SQL that receives the notifications of the triggers.
  static func listen(on connection: PostgreSQLConnection) throws {
    let channel = try connection.run(selectSchema).text(0, 1)
    try connection.execute("LISTEN \(channel.quoted)")
  }

  // MARK: Triggers

  /// The tables of types and collections without the triggers.
  private static let selectMissing = PostgreSQLStatement(
    """
    SELECT c.relname::text FROM pg_class AS c \
    WHERE c.relnamespace = \(StreamCatalogue.schemaNumber) AND c.relkind = 'r' AND c.relname::text IN \
    (SELECT table_name FROM magic_types UNION SELECT join_table FROM magic_relationships) \
    AND NOT EXISTS (SELECT FROM pg_trigger AS t \
    WHERE t.tgrelid = c.oid AND t.tgname = 'magic_record_truncate') ORDER BY 1
    """)

  /// Whether a table has no triggers.
  static func isMissingTriggers(on connection: PostgreSQLConnection) throws -> Bool {
    try connection.run(selectMissing).count > 0
  }

  /// Creates the triggers of the tables without them.
  static func createTriggers(
    on connection: PostgreSQLConnection, atMost limit: Int = .max
  ) throws {
    let missing = try connection.run(selectMissing)
    for row in 0..<min(limit, missing.count) {
      let table = missing.text(row, 0).quoted
      for name in names {
        let rows: String
        switch name {
        case "insert": rows = " REFERENCING NEW TABLE AS magic_new"
        case "update": rows = " REFERENCING OLD TABLE AS magic_old NEW TABLE AS magic_new"
        case "delete": rows = " REFERENCING OLD TABLE AS magic_old"
        default: rows = ""
        }
        try connection.execute(
          "CREATE TRIGGER \("magic_record_\(name)".quoted) AFTER \(name.uppercased()) ON \(table)"
            + "\(rows) FOR EACH STATEMENT EXECUTE FUNCTION magic_record()")
      }
    }
  }

  // MARK: Rows

  /// The SQL that writes a note of the transaction.
  static func insert(_ note: CommitNote) -> String {
    "INSERT INTO magic_outbox (source, operation, row) "
      + "VALUES (0, 'M', convert_to(\(note.text.literal), 'UTF8'))"
  }

  static let selectSnapshot = PostgreSQLStatement(
    "SELECT s::text, pg_snapshot_xmin(s)::text, pg_snapshot_xmax(s)::text "
      + "FROM pg_current_snapshot() AS s")

  /// Rows that were committed after a snapshot. A transaction is in one result only, even if it began
  /// long before another one that was committed earlier.
  private static let new = """
    magic_outbox WHERE transaction >= pg_snapshot_xmin($1::pg_snapshot) \
    AND NOT pg_visible_in_snapshot(transaction, $1::pg_snapshot)
    """

  /// The number of the new rows, at most a limit, and their size. Both statements run on one
  /// snapshot.
  static let selectSize = PostgreSQLStatement(
    """
    SELECT count(*), coalesce(sum(size), 0)::bigint, pg_current_snapshot()::text FROM \
    (SELECT coalesce(octet_length(row), 0) AS size FROM \(new) LIMIT $2) AS rows
    """, [.text, .bigint])

  /// The new rows. The transactions are in the order of their last rows, which is that of their commits
  /// if they were written by this library, whose writes wait for each other.
  static let selectNew = PostgreSQLStatement(
    """
    SELECT transaction::text::bigint, source::bigint, operation, row FROM \
    (SELECT *, max(id) OVER (PARTITION BY transaction) AS last FROM \(new)) AS rows ORDER BY last, id
    """, [.text])

  // MARK: Observers

  /// Registers an observer. The triggers write rows while there is one.
  static let register = PostgreSQLStatement(
    "INSERT INTO magic_observers (id, position) VALUES ($1::uuid, pg_current_xact_id())", [.text])

  static let unregister = PostgreSQLStatement(
    "DELETE FROM magic_observers WHERE id = $1::uuid", [.text])

  /// Says that an observer still exists, and up to which transaction it needs no rows. Without effect if
  /// that was not said for a minute.
  static let update = PostgreSQLStatement(
    """
    UPDATE magic_observers SET seen = clock_timestamp(), \
    position = pg_snapshot_xmin($2::pg_snapshot) WHERE id = $1::uuid \
    AND seen > clock_timestamp() - interval '1 minute'
    """, [.text, .text])

  /// Removes observers that have not been updated for a minute: their processes have ended.
  static let removeOld = PostgreSQLStatement(
    "DELETE FROM magic_observers WHERE seen < clock_timestamp() - interval '1 minute'")

  /// Removes the rows that no observer needs.
  static let trim = PostgreSQLStatement(
    """
    DELETE FROM magic_outbox WHERE transaction < \
    coalesce((SELECT min(position) FROM magic_observers), pg_snapshot_xmin(pg_current_snapshot()))
    """)
}
