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

  /// Gives the full-text table the data of an empty one. SQLite can neither drop nor empty a full-text
  /// table whose own records are damaged or missing.
  ///
  /// The data are those that SQLite writes for a new full-text table:
  /// https://www.sqlite.org/fts5.html#fts5_data_structures
  package var clearData: [String] {
    func table(_ suffix: String, _ definition: String, _ rows: String? = nil) -> [String] {
      let table = (name + suffix).quoted
      return ["CREATE TABLE IF NOT EXISTS \(table)(\(definition)", "DELETE FROM \(table)"]
        + (rows.map { ["INSERT INTO \(table) VALUES \($0)"] } ?? [])
    }
    return table("_data", "id INTEGER PRIMARY KEY, block BLOB)", "(1, x''), (10, zeroblob(7))")
      + table("_idx", "segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID")
      + table("_docsize", "id INTEGER PRIMARY KEY, sz BLOB)")
      + table("_config", "k PRIMARY KEY, v) WITHOUT ROWID", "('version', 4)")
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
  func logColumn(_ column: Column) -> String { "\(column.kind.rawValue) \(column.name)" }

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
    return [
      trigger(
        0, "AFTER INSERT ON \(table.quoted) WHEN \(isUnlogged("NEW"))",
        ["\(insertion(isIndexed: false)) VALUES (\(values("NEW", isIndexed: false)))"]),
      trigger(
        1,
        "AFTER UPDATE OF \((["\"z_index\""] + names).joined(separator: ", ")) ON \(table.quoted) "
          + "WHEN \(changes.joined(separator: " OR "))",
        [note("OLD", isIndexed: true), note("NEW", isIndexed: false)]),
      trigger(
        2, "AFTER DELETE ON \(table.quoted) WHEN \(isUnlogged("OLD"))",
        ["\(insertion(isIndexed: true)) VALUES (\(values("OLD", isIndexed: true)))"]),
    ]
  }

  private func trigger(_ kind: Int, _ event: String, _ steps: [String]) -> String {
    "CREATE TRIGGER \((table + Self.triggerSuffixes[kind]).quoted) \(event) BEGIN "
      + steps.map { "\($0); " }.joined() + "END"
  }

  /// Writes a row to the log, unless the log has it already: the index has the texts that were in the
  /// row when it was changed first. OR IGNORE does not do that, because the conflict clause of the
  /// statement that fires the trigger would replace it.
  private func note(_ row: String, isIndexed: Bool) -> String {
    "\(insertion(isIndexed: isIndexed)) SELECT \(values(row, isIndexed: isIndexed)) "
      + "WHERE \(isUnlogged(row))"
  }

  private func insertion(isIndexed: Bool) -> String {
    let texts = isIndexed ? columns.map { logColumn($0).quoted } : []
    let list = (["\"z_index\"", Self.isIndexed.quoted] + texts).joined(separator: ", ")
    return "INSERT INTO \(log.quoted) (\(list))"
  }

  private func values(_ row: String, isIndexed: Bool) -> String {
    let texts = isIndexed ? columns.map { "\(row).\($0.name.quoted)" } : []
    return (["\(row).\"z_index\"", isIndexed ? "1" : "0"] + texts).joined(separator: ", ")
  }

  /// The condition that the log does not have a row.
  private func isUnlogged(_ row: String) -> String {
    "NOT EXISTS (SELECT 1 FROM \(log.quoted) WHERE \"z_index\" = \(row).\"z_index\")"
  }
}
