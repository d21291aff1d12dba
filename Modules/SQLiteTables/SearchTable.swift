package import MagicSchema

/// The search index of a type's table: a full-text table without a copy of the texts, and a log of
/// the rows that have changed since the index was updated.
///
/// Triggers on the type's table write the row ID and the indexed texts of a changed row to the log,
/// which is an ordinary table: a trigger must not write to a virtual table in an untrusted schema. So
/// rows that other SQL and other programs write are in the log too. An update of the index deletes
/// the texts in the log from it, inserts the present texts, and empties the log.
package struct SearchTable: Equatable {
  package struct Column: Equatable {
    package let name: String
    package let kind: SearchSchema.Kind

    package init(name: String, kind: SearchSchema.Kind) { (self.name, self.kind) = (name, kind) }
  }

  /// The name of the type's table.
  package let table: String
  package let columns: [Column]
  /// The SQL that creates the full-text table.
  package let indexSQL: String

  package init(table: String, columns: [Column], indexSQL: String) {
    (self.table, self.columns, self.indexSQL) = (table, columns, indexSQL)
  }

  /// Creates the description of the index that a type declares; nil if it declares none.
  package init?(_ schema: ObjectSchema) {
    guard let search = schema.search else { return nil }
    table = schema.tableName
    columns = search.columns.map { Column(name: $0.name, kind: $0.kind) }
    let options = Self.options(search.declaration)
    let names = columns.indices.map(Self.indexedColumn) + ["content=''"] + options
    indexSQL =
      "CREATE VIRTUAL TABLE \(Self.name(ofTable: table).quoted) "
      + "USING fts5(\(names.joined(separator: ", ")))"
  }

  /// The beginning of the names of all tables of search indexes. No join table has it: names of join
  /// tables begin with `magic_`, a name and a period.
  package static let prefix = "magic_search("

  package static func name(ofTable table: String) -> String { "\(prefix)\(table))" }

  /// The name of the full-text table.
  package var name: String { Self.name(ofTable: table) }

  /// The name of the log.
  package var log: String { name + Self.logSuffix }

  static let logSuffix = " log"

  /// Returns the name of a column of the full-text table.
  package static func indexedColumn(_ index: Int) -> String { "c\(index)" }

  /// The column of the log that is 1 if the index has the texts of the row, and 0 for a new row.
  static let isIndexed = "is_indexed"

  private static func options(_ declaration: MagicSearch) -> [String] {
    let tokenizer = tokenizer(declaration).joined(separator: " ")
    let prefixes = declaration.prefixLengths.map { lengths in
      "prefix='\(lengths.map(String.init).joined(separator: " "))'"
    }
    return ["tokenize='\(tokenizer)'"] + (prefixes.map { [$0] } ?? [])
  }

  /// Returns the name of the tokenizer that divides texts, and its arguments.
  package static func tokenizer(_ declaration: MagicSearch) -> [String] {
    switch declaration.units {
    case .trigrams: return ["trigram"]
    case .words(let keepsAccents, let stemming):
      let words = ["unicode61", "remove_diacritics", keepsAccents ? "0" : "2"]
      return stemming == nil ? words : ["porter"] + words
    }
  }
}

/// The SQL of the tables and triggers.
extension SearchTable {
  /// Creates the tables and triggers.
  package var create: [String] { [indexSQL, createLog] + createTriggers }

  /// Drops the tables and triggers.
  package var drop: [String] {
    Self.triggerSuffixes.map { "DROP TRIGGER IF EXISTS \((table + $0).quoted)" }
      + ["DROP TABLE IF EXISTS \(name.quoted)", "DROP TABLE IF EXISTS \(log.quoted)"]
  }

  /// The suffixes of the names of triggers, after the table's name.
  package static let triggerSuffixes = [" search in", " search change", " search out"]

  private var createLog: String {
    let columns =
      ["\"z_index\" INTEGER PRIMARY KEY", "\(Self.isIndexed.quoted) INTEGER NOT NULL"]
      + columns.map { logColumn($0).quoted }
    return "CREATE TABLE \(log.quoted) (\(columns.joined(separator: ", ")))"
  }

  /// The name of a column of the log: the kind and the name of the column of the type's table.
  private func logColumn(_ column: Column) -> String { "\(column.kind.rawValue) \(column.name)" }

  /// Reads the description of a column from its name in the log.
  static func column(ofLog name: String) -> Column? {
    guard let end = name.firstIndex(of: " "),
      let kind = SearchSchema.Kind(rawValue: String(name[..<end]))
    else { return nil }
    return Column(name: String(name[name.index(after: end)...]), kind: kind)
  }

  package var createTriggers: [String] {
    let names = columns.map(\.name.quoted)
    let changes = (["\"z_index\""] + names).map { "OLD.\($0) IS NOT NEW.\($0)" }
    let old = note("OLD", isIndexed: true, names)
    return [
      trigger(0, "AFTER INSERT ON \(table.quoted)", [note("NEW", isIndexed: false)]),
      trigger(
        1,
        "AFTER UPDATE OF \((["\"z_index\""] + names).joined(separator: ", ")) ON \(table.quoted) "
          + "WHEN \(changes.joined(separator: " OR "))",
        [old, note("NEW", isIndexed: false)]),
      trigger(2, "AFTER DELETE ON \(table.quoted)", [old]),
    ]
  }

  private func trigger(_ kind: Int, _ event: String, _ steps: [String]) -> String {
    "CREATE TRIGGER \((table + Self.triggerSuffixes[kind]).quoted) \(event) BEGIN "
      + steps.map { "\($0); " }.joined() + "END"
  }

  /// Writes a row to the log, unless the log has it already: the index has the texts that were in the
  /// row when it was changed first. OR IGNORE does not do that, because the conflict clause of the
  /// statement that fires the trigger would replace it.
  private func note(_ row: String, isIndexed: Bool, _ names: [String] = []) -> String {
    let columns = names.isEmpty ? [] : self.columns.map { logColumn($0).quoted }
    let list = (["\"z_index\"", Self.isIndexed.quoted] + columns).joined(separator: ", ")
    let values = (["\(row).\"z_index\"", isIndexed ? "1" : "0"] + names.map { "\(row).\($0)" })
      .joined(separator: ", ")
    return "INSERT INTO \(log.quoted) (\(list)) SELECT \(values) WHERE NOT EXISTS "
      + "(SELECT 1 FROM \(log.quoted) WHERE \"z_index\" = \(row).\"z_index\")"
  }
}

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

  /// Whether the index has other texts of a row that is new according to the log. Then another program
  /// has replaced the row by a statement with `OR REPLACE`, which fires no trigger for the old row.
  package var hasReplaced: String {
    "SELECT 1 FROM \(log.quoted) WHERE NOT \(Self.isIndexed.quoted) AND \"z_index\" IN "
      + "(SELECT \"id\" FROM \((name + "_docsize").quoted)) LIMIT 1"
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
