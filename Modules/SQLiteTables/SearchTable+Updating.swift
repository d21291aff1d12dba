import MagicSchema

/// The SQL that updates the index.
extension SearchTable {
  /// The statements that update the index with the rows in the log. They call
  /// ``fileFunction``.
  package var deleteLogged: String {
    let texts = columns.map { Self.text($0.kind, of: logColumn($0).quoted) }
    let columns = ([name.quoted, "rowid"] + indexed).joined(separator: ", ")
    return "INSERT INTO \(name.quoted) (\(columns)) "
      + "SELECT \((["'delete'", "\"z_index\""] + texts).joined(separator: ", ")) "
      + "FROM \(log.quoted) WHERE \(Self.isIndexed.quoted)"
  }

  package var insertLogged: String {
    "\(insert) FROM \(log.quoted) AS log CROSS JOIN \(table.quoted) AS t "
      + "ON t.\"z_index\" = log.\"z_index\""
  }

  /// Selects what the log contains, as one row: whether the index has texts of a row in the log, and
  /// whether it has texts of a row that is new according to the log. In that case another program
  /// has replaced the row by a statement with `OR REPLACE`, which fires no trigger for the old row.
  /// Both are NULL if the log is empty.
  package var logged: String {
    "SELECT max(\(Self.isIndexed.quoted)), max(NOT \(Self.isIndexed.quoted) AND EXISTS "
      + "(SELECT 1 FROM \(Self.sizes("main", name)) WHERE \"id\" = log.\"z_index\")) "
      + "FROM \(log.quoted) AS log"
  }

  /// The table with the numbers of words of the rows of a full-text table.
  package static func sizes(_ schema: String, _ name: String) -> String {
    "\(schema).\((name + "_docsize").quoted)"
  }

  /// The row IDs of the rows that are new according to the log.
  package var newRows: String {
    "SELECT \"z_index\" FROM \(log.quoted) WHERE NOT \(Self.isIndexed.quoted)"
  }

  package var clearLog: String { "DELETE FROM \(log.quoted)" }

  package var hasLogged: String { "SELECT 1 FROM \(log.quoted) LIMIT 1" }

  /// Inserts a batch of rows. The parameters are the row ID before the first one, and the number of
  /// rows.
  package var insertBatch: String {
    "\(insert) FROM \(table.quoted) AS t WHERE t.\"z_index\" > ?1 ORDER BY t.\"z_index\" LIMIT ?2"
  }

  private var insert: String {
    let columns = (["rowid"] + indexed).joined(separator: ", ")
    return "INSERT INTO \(name.quoted) (\(columns)) SELECT \(texts(of: "t"))"
  }

  /// The row ID and the texts of a row of the type's table.
  package func texts(of alias: String) -> String {
    (["\(alias).\"z_index\""]
      + columns.map { Self.text($0.kind, of: "\(alias).\($0.name.quoted)") })
      .joined(separator: ", ")
  }

  private var indexed: [String] { columns.indices.map { Self.indexedColumn($0) } }

  /// The SQL function that returns the text in a file.
  package static let fileFunction = "magic_search_file"

  private static func text(_ kind: SearchSchema.Kind, of column: String) -> String {
    switch kind {
    case .text: return column
    case .file: return "\(fileFunction)(\(column))"
    case .list:
      let json = "CAST(\(column) AS TEXT)"
      return "CASE WHEN json_valid(\(json)) THEN (SELECT group_concat(\"value\", char(10)) "
        + "FROM json_each(\(json)) WHERE \"type\" = 'text') END"
    }
  }
}

extension SearchTable {
  /// The statements that create a temporary full-text table with the texts that the index should
  /// have.
  package func copy(named name: String) -> [String] {
    let end = indexSQL.index(
      indexSQL.startIndex, offsetBy: "CREATE VIRTUAL TABLE \(self.name.quoted)".count,
      limitedBy: indexSQL.endIndex)
    let module = end.map { String(indexSQL[$0...]) } ?? ""
    let columns = (["rowid"] + indexed).joined(separator: ", ")
    let insert = "INSERT INTO temp.\(name.quoted) (\(columns)) "
    let logged = self.columns.map { Self.text($0.kind, of: logColumn($0).quoted) }
    return [
      "CREATE VIRTUAL TABLE temp.\(name.quoted)\(module)",
      insert + "SELECT \(texts(of: "t")) FROM \(table.quoted) AS t "
        + "WHERE t.\"z_index\" NOT IN (SELECT \"z_index\" FROM \(log.quoted))",
      insert + "SELECT \((["\"z_index\""] + logged).joined(separator: ", ")) "
        + "FROM \(log.quoted) WHERE \(Self.isIndexed.quoted)",
    ]
  }
}
