import MagicInspection

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
    let rules = database.types.map { IndexRules(type: $0, isOnServer: true) }
    return rules.flatMap { $0.redundant() + $0.missing() } + (try indexes(rules)) + (try tables())
      + (try slots()) + (try settings())
  }

  /// Indexes that are incomplete, or that no query has used.
  private func indexes(_ rules: [IndexRules]) throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT t.table_name, c.relname::text, i.indisvalid, coalesce(x.idx_scan, 0), \
      coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0), coalesce(s.n_live_tup, 0), \
      pg_relation_size(c.oid) FROM magic_types AS t \
      JOIN pg_index AS i ON i.indrelid = to_regclass(quote_ident(t.table_name)) \
      JOIN pg_class AS c ON c.oid = i.indexrelid \
      LEFT JOIN pg_stat_user_indexes AS x ON x.indexrelid = i.indexrelid \
      LEFT JOIN pg_stat_user_tables AS s ON s.relid = i.indrelid \
      WHERE NOT i.indisprimary ORDER BY t.table_name, c.relname
      """)
    return found.compactMap { row in
      let (table, name) = (row[0].text ?? "", row[1].text ?? "")
      guard let type = rules.first(where: { $0.type.table == table }),
        let index = type.type.indexes.first(where: { $0.name == name })
      else { return nil }
      if row[2].integer == 0 {
        return Advice(
          subject: "incomplete index",
          text:
            "\(type.name(index)) was not built to its end. Each save maintains it, and no query uses "
            + "it. A migration that creates indexes concurrently builds it again.",
          command: "DROP INDEX CONCURRENTLY \(name.quoted)")
      }
      guard !index.isUnique, !type.isOwn(index), row[3].integer == 0,
        row[4].integer ?? 0 >= Self.readLimit, row[5].integer ?? 0 >= Self.rowLimit
      else { return nil }
      let size = Int(row[6].integer ?? 0).bytes
      return Advice(
        subject: "unused index",
        text: "No query has used \(type.name(index)) since the server counts, of "
          + "\(Int(row[4].integer ?? 0).grouped) reads of the table. It has \(size), and each save "
          + "maintains it. Remove .indexed from the property, or the index from the indexes of the type, "
          + "unless a query needs it that runs rarely, or on a replica.")
    }
  }

  /// Tables without statistics, or with many dead rows.
  private func tables() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT t.table_name, quote_ident(t.table_name), c.reltuples::float8, pg_relation_size(c.oid), \
      coalesce(s.n_live_tup, 0), coalesce(s.n_dead_tup, 0) FROM magic_types AS t \
      JOIN pg_class AS c ON c.oid = to_regclass(quote_ident(t.table_name)) \
      LEFT JOIN pg_stat_user_tables AS s ON s.relid = c.oid ORDER BY t.table_name
      """)
    return found.flatMap { row -> [Advice] in
      let (table, quoted) = (InspectedText.line(row[0].text ?? ""), row[1].text ?? "")
      let (live, dead) = (row[4].integer ?? 0, row[5].integer ?? 0)
      var advice: [Advice] = []
      if row[2].number ?? 0 < 0, row[3].integer ?? 0 >= Self.sizeLimit {
        advice.append(
          Advice(
            subject: "no statistics",
            text:
              "The server has no statistics of \(table). With them it chooses between indexes by "
              + "the number of rows that each selects. Autovacuum makes them, if it is on.",
            command: "ANALYZE \(quoted)"))
      }
      if dead >= Self.rowLimit, dead > live / 4 {
        advice.append(
          Advice(
            subject: "dead rows",
            text: "\(table) has \(Int(dead).grouped) dead rows beside \(Int(live).grouped) others. "
              + "Autovacuum is off or late, or an old transaction or replication slot needs the rows.",
            command: "VACUUM \(quoted)"))
      }
      return advice
    }
  }

  /// Replication slots that nobody reads. The server keeps its log for them without a limit.
  private func slots() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT slot_name::text, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() \
      THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, restart_lsn)::bigint \
      FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL ORDER BY slot_name
      """)
    return found.map { row in
      let name = row[0].text ?? ""
      let literal = name.replacing("'", with: "''")
      return Advice(
        subject: "unused replication slot",
        text: "Nobody reads the replication slot \(InspectedText.line(name)). The server keeps "
          + "\(Int(max(0, row[1].integer ?? 0)).bytes) of its log for it, and more with each commit, until "
          + "its disk is full. If no standby or program will return to it, drop it.",
        command: "SELECT pg_drop_replication_slot('\(literal)')")
    }
  }

  /// Settings that endanger commits, or that make observers poll.
  private func settings() throws -> [Advice] {
    let found = try reader.rows(
      """
      SELECT name, setting FROM pg_settings WHERE name IN \
      ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_level') ORDER BY name
      """)
    return found.compactMap { row in
      switch (row[0].text ?? "", row[1].text ?? "") {
      case (let name, "off"):
        Advice(
          subject: "durability",
          text: "\(name) is off. \(Self.risks[name] ?? "")",
          command: "ALTER SYSTEM SET \(name) = on")
      case ("wal_level", let level) where level != "logical":
        Advice(
          subject: "observation",
          text:
            "wal_level is \(level). Programs that observe changes poll a table, and each save writes "
            + "to it. With the value logical the server sends them the changes, after a restart.",
          command: "ALTER SYSTEM SET wal_level = logical")
      default: nil
      }
    }
  }

  private static let risks = [
    "fsync": "After a crash of the machine the database may be damaged.",
    "full_page_writes": "After a crash of the machine the database may be damaged.",
    "synchronous_commit":
      "After a crash of the server the last commits may be lost, although their saves "
      + "have returned.",
  ]
}
