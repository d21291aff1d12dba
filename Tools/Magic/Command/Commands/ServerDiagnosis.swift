import MagicInspection
import MagicServerInspection

/// Looks for what costs time or space in a database on a server of PostgreSQL, or what endangers its
/// commits.
struct ServerDiagnosis {
  let reader: ServerReader
  let database: InspectedDatabase

  /// Tables with fewer rows are read quickly in any way.
  private static let rowLimit: Int64 = 10_000
  /// The size of a table about which statistics matter, in bytes.
  private static let sizeLimit: Int64 = 1 << 20
  /// The number of reads of a table after which an index without one is not needed.
  private static let readLimit: Int64 = 1_000

  func advice() throws -> [Advice] {
    let isStandby = try reader.rows("SELECT pg_is_in_recovery()").first?.first?.integer == 1
    let types = database.types.map { IndexRules(type: $0, isOnServer: true) }
    let indexes =
      types.flatMap { $0.redundant() + $0.missing() } + (try incompleteIndexes())
    guard !isStandby else { return indexes + [Self.standby] + (try slots()) }
    return indexes + (try unusedIndexes(types)) + (try tables()) + (try slots())
      + (try settings()) + (try observation())
  }

  private static let standby = Advice(
    subject: "standby server",
    text:
      "This server repeats the commits of another one, which has the statistics about tables and "
      + "indexes: check that one too. The statements for indexes run there.")

  // MARK: Indexes

  /// Indexes that `CREATE INDEX CONCURRENTLY` has left incomplete.
  private func incompleteIndexes() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT c.relname::text, t.table_name, format('%I.%I', n.nspname, c.relname), i.indisready \
      FROM magic_types AS t \
      JOIN pg_index AS i ON i.indrelid = to_regclass(quote_ident(t.table_name)) \
      JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      WHERE NOT i.indisvalid AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index AS p \
      WHERE p.index_relid = i.indexrelid) ORDER BY t.table_name, c.relname
      """)
    return found.map { row in
      let name = InspectedText.line("\(row[0].text ?? "") of \(row[1].text ?? "")")
      let cost = row[3].integer == 1 ? " Each save maintains it." : ""
      return Advice(
        subject: "incomplete index",
        text:
          "The index \(name) is incomplete, and no query uses it.\(cost) If no session is building it, "
          + "build it again with the migration that creates indexes concurrently, or drop it.",
        command: "DROP INDEX CONCURRENTLY \(row[2].text ?? "");")
    }
  }

  /// Indexes that no query has used, except those that are not needed in any case.
  private func unusedIndexes(_ types: [IndexRules]) throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT t.table_name, c.relname::text, coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0), \
      pg_relation_size(c.oid), array_to_string(ARRAY(SELECT pg_get_indexdef(c.oid, k, true) \
      FROM generate_series(1, i.indnkeyatts) AS k), ', ') FROM magic_types AS t \
      JOIN pg_index AS i ON i.indrelid = to_regclass(quote_ident(t.table_name)) \
      JOIN pg_class AS c ON c.oid = i.indexrelid \
      JOIN pg_stat_user_indexes AS x ON x.indexrelid = i.indexrelid \
      JOIN pg_stat_user_tables AS s ON s.relid = i.indrelid \
      WHERE x.idx_scan = 0 AND i.indisvalid AND NOT i.indisunique AND NOT i.indisexclusion \
      AND NOT i.indisreplident AND s.n_live_tup >= :rows \
      AND coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0) >= :reads \
      ORDER BY t.table_name, c.relname
      """,
      [
        "rows": InspectedValue(InspectedValue.Stored.integer(Self.rowLimit)),
        "reads": InspectedValue(InspectedValue.Stored.integer(Self.readLimit)),
      ])
    return found.compactMap { row in
      guard let type = types.first(where: { $0.type.table == row[0].text }),
        let position = type.type.indexes.firstIndex(where: { $0.name == row[1].text }),
        !type.isOwn(type.type.indexes[position]), type.replacement(of: position) == nil
      else { return nil }
      let index = type.type.indexes[position]
      let name = type.name(index.name, columns: row[4].text ?? "")
      return Advice(
        subject: "unused index",
        text:
          "No query has used \(name) in \(Int(row[2].integer ?? 0).grouped) reads of the table "
          + "since the statistics of the server were reset. It has \(Int(row[3].integer ?? 0).bytes), "
          + "and each save maintains it. \(type.removal(of: index)), unless it is new, or a rare query or "
          + "one on a standby server needs it.")
    }
  }

  // MARK: Tables

  /// Tables without statistics, or with many dead rows: those of types, and those of the library.
  private func tables() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT c.relname::text, format('%I.%I', n.nspname, c.relname), \
      EXISTS (SELECT FROM pg_stats AS p WHERE p.schemaname = n.nspname AND p.tablename = c.relname), \
      pg_relation_size(c.oid), coalesce(s.n_live_tup, 0), coalesce(s.n_dead_tup, 0) \
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
      LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid \
      WHERE c.relkind = 'r' AND c.relnamespace = (SELECT m.relnamespace FROM pg_class AS m \
      WHERE m.oid = to_regclass('magic_types')) AND (c.relname LIKE 'magic\\_%' \
      OR c.relname::text IN (SELECT table_name FROM magic_types)) ORDER BY c.relname
      """)
    return found.flatMap { row -> [Advice] in
      let (table, qualified) = (InspectedText.line(row[0].text ?? ""), row[1].text ?? "")
      let (live, dead) = (row[4].integer ?? 0, row[5].integer ?? 0)
      var advice: [Advice] = []
      if row[2].integer == 0, row[3].integer ?? 0 >= Self.sizeLimit {
        advice.append(
          Advice(
            subject: "no statistics",
            text:
              "The server has no statistics of \(table). With them it chooses between indexes by "
              + "the number of rows that each selects. Autovacuum collects them, if it is on.",
            command: "ANALYZE \(qualified);"))
      }
      if dead >= Self.rowLimit, dead > live / 4 {
        advice.append(
          Advice(
            subject: "dead rows",
            text: "\(table) has \(Int(dead).grouped) dead rows beside \(Int(live).grouped) others. "
              + "Autovacuum is off or late, or an old transaction or replication slot needs the rows.",
            command: "VACUUM \(qualified);"))
      }
      return advice
    }
  }

  // MARK: The server

  /// Replication slots without a reader, for which the server keeps its log.
  private func slots() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT slot_name::text, coalesce(database::text, ''), \
      pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() \
      THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)::bigint, \
      current_setting('max_slot_wal_keep_size') FROM pg_replication_slots AS s \
      WHERE NOT active AND restart_lsn IS NOT NULL AND wal_status <> 'lost' \
      AND coalesce(to_jsonb(s)->>'synced', 'false') = 'false' ORDER BY slot_name
      """)
    return found.map { row in
      let (name, database) = (row[0].text ?? "", row[1].text ?? "")
      let place = database.isEmpty ? "" : " of the database \(InspectedText.line(database))"
      let limit = row[3].text ?? ""
      let there = database.isEmpty ? "" : " in that database"
      let end = limit == "-1" ? "until its disk is full" : "up to \(limit)"
      return Advice(
        subject: "unused replication slot",
        text:
          "No standby or program reads the replication slot \(InspectedText.line(name))\(place). The "
          + "server keeps \(Int(max(0, row[2].integer ?? 0)).bytes) of its log for it, and more with each "
          + "commit, \(end). If no reader will return, drop it\(there).",
        command: "SELECT pg_drop_replication_slot('\(name.replacing("'", with: "''"))');")
    }
  }

  /// Settings that endanger commits.
  private func settings() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT name, source FROM pg_settings WHERE setting = 'off' \
      AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name
      """)
    return found.map { row in
      let (name, source) = (row[0].text ?? "", row[1].text ?? "")
      let risk =
        name == "synchronous_commit"
        ? "After a crash of the server the last commits may be lost, although their saves have returned."
        : "After a crash of the machine the database may be damaged."
      return Advice(
        subject: "durability", text: "\(name) is off, by the setting of: \(source). \(risk)")
    }
  }

  /// The table of changes that observers read where the server does not send them.
  private func observation() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT to_regclass('magic_outbox') IS NOT NULL, current_setting('wal_level')
      """)
    guard let row = found.first, row[0].integer == 1, row[1].text != "logical" else { return [] }
    return [
      Advice(
        subject: "observation",
        text:
          "Programs observe changes through the table magic_outbox, to which each save writes. The "
          + "server sends the changes instead if wal_level is logical, and if the role may replicate and "
          + "create publications.")
    ]
  }
}
