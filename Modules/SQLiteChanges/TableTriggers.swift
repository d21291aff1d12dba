import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The triggers that record the changes of a table, and the query for what they recorded.
///
/// The triggers are temporary and on the connection that writes alone. They enter each row into
/// `magic_touched` before it is first changed in a transaction, with the marks of its values, or
/// without for a row that was not there. What the transaction did to the row is seen when it ends, by
/// comparing the two; so a row that comes and goes, or a value that is what it was, is no change.
final class TableTriggers {
  package enum Kind: Equatable {
    /// Rows of a type; some of the columns, from one on, where there are many.
    case rows(columns: [String], first: Int)
    /// Links of a collection: the columns that name one, and the others.
    case links(owner: String, property: String, key: String, others: [String])
    /// Any other table.
    case plain
  }

  /// The prefix of the triggers' names.
  static let prefix = Catalogue.recordingTriggers

  /// What `magic_touched` has for a number where a table was brought to another shape.
  static let shapes = 0

  static let createTouched = """
    CREATE TEMP TABLE IF NOT EXISTS "magic_touched" ("table" INTEGER NOT NULL, "key", "part", \
    "marks" BLOB, PRIMARY KEY ("table", "key", "part")) WITHOUT ROWID
    """

  let number: Int
  /// As it is written in the file.
  let name: String
  let kind: Kind
  /// Of a type's table.
  let names: TableNames?
  private var question: (primary: String?, statement: SQLiteStatement)?

  init(_ number: Int, _ name: String, _ kind: Kind, names: TableNames?) {
    self.number = number
    self.name = name
    self.kind = kind
    self.names = names
  }

  func hasSameSchema(_ other: TableTriggers) -> Bool {
    guard name == other.name, kind == other.kind else { return false }
    return switch (names, other.names) {
    case (let left?, let right?): left.hasSameColumns(right)
    case (nil, nil): true
    default: false
    }
  }

  // MARK: Triggers

  private static func triggerNames(_ number: Int) -> [String] {
    ["insert", "update", "delete"].map { "\(prefix)\(number) \($0)" }
  }

  static func drop(_ number: Int) -> String {
    triggerNames(number).map { "DROP TRIGGER IF EXISTS temp.\($0.quoted)" }
      .joined(separator: ";")
  }

  var drop: String { Self.drop(number) }

  var create: String {
    let bodies: [(event: String, statements: [String])]
    switch kind {
    case .plain:
      let touch = touch("0", "0", marks: "0")
      bodies = [
        ("AFTER INSERT", [touch]), ("BEFORE UPDATE", [touch]), ("BEFORE DELETE", [touch]),
      ]
    case .rows(let columns, _):
      bodies = bodiesOfRows(key: "\"z_index\"", part: nil, columns)
    case .links(_, _, let key, let others):
      bodies = bodiesOfRows(key: "\"owner\"", part: key.quoted, others)
    }
    return zip(Self.triggerNames(number), bodies).map { name, body in
      "CREATE TEMP TRIGGER \(name.quoted) \(body.event) ON main.\(self.name.quoted) BEGIN "
        + body.statements.map { "\($0); " }.joined() + "END"
    }.joined(separator: ";")
  }

  /// Before an update and a deletion the row is as it was, whatever other triggers do. Before an
  /// insert it has no key yet.
  private func bodiesOfRows(
    key: String, part: String?, _ columns: [String]
  ) -> [(event: String, statements: [String])] {
    let old = touch(
      "OLD.\(key)", part.map { "OLD.\($0)" } ?? "0", marks: marks(of: columns, in: "OLD"))
    let (newKey, newPart) = ("NEW.\(key)", part.map { "NEW.\($0)" })
    let new = touch(newKey, newPart ?? "0", marks: "0")
    let isMoved =
      "\(newKey) IS NOT OLD.\(key)" + (part.map { " OR NEW.\($0) IS NOT OLD.\($0)" } ?? "")
    // A row may be there that `OR REPLACE` is about to delete.
    let place =
      "row.\(key) = \(newKey)" + (part.map { " AND row.\($0) = NEW.\($0)" } ?? "")
    let moved = touch(
      newKey, newPart ?? "0", marks: marks(of: columns, in: "row", "row.\(key) IS NOT NULL"),
      from: "(SELECT 1 WHERE \(isMoved)) LEFT JOIN main.\(name.quoted) AS row ON \(place)")
    return [
      ("AFTER INSERT", [new]), ("BEFORE UPDATE", [old, moved]), ("BEFORE DELETE", [old]),
    ]
  }

  private func marks(of columns: [String], in row: String, _ isThere: String = "1") -> String {
    ([isThere] + columns.map { "\(row).\($0.quoted)" }).joined(separator: ", ")
  }

  /// Enters a row that was not touched before. `OR IGNORE` would not do: the conflict clause of the
  /// statement that fires a trigger takes the place of the trigger's own. With the affinity of its
  /// column, which `+` takes away, a key would not be looked up in the index.
  private func touch(
    _ key: String, _ part: String, marks: String, from source: String? = nil
  ) -> String {
    """
    INSERT INTO "magic_touched" SELECT \(number), \(key), \(part), \
    magic_marks(\(number), \(marks)) \(source.map { "FROM \($0) " } ?? "")WHERE NOT EXISTS (\
    SELECT 1 FROM "magic_touched" \
    WHERE "table" = \(number) AND "key" = +\(key) AND "part" = +\(part))
    """
  }

  // MARK: What they recorded

  /// The rows that were touched, in the order of their keys: key, marks before, key now, and what
  /// of the row's columns changed where it was there before and is now; then a column that is asked
  /// for.
  func touched(
    _ connection: SQLiteConnection, primary: String? = nil
  ) throws(SQLiteError) -> SQLiteStatement {
    if let question, question.primary == primary { return question.statement }
    let statement = try connection.prepare(select(primary), isPersistent: true)
    question = (primary, statement)
    return statement
  }

  private func select(_ primary: String?) -> String {
    let key: String
    let condition: String
    let columns: [String]
    switch kind {
    case .plain:
      return "SELECT 0, NULL, 0, 1 FROM temp.\"magic_touched\" WHERE \"table\" = \(number)"
    case .rows(let names, _):
      (key, columns) = ("row.\"z_index\"", names)
      condition = "\(key) = touched.\"key\""
    case .links(_, _, let part, let others):
      (key, columns) = ("row.\"owner\"", others)
      condition = "\(key) = touched.\"key\" AND row.\(part.quoted) = touched.\"part\""
    }
    let values = (["touched.\"marks\""] + columns.map { "row.\($0.quoted)" })
      .joined(separator: ", ")
    let last = primary.map { ", row.\($0.quoted)" } ?? ""
    return """
      SELECT touched."key", touched."marks", \(key), \
      CASE WHEN touched."marks" IS NOT NULL AND \(key) IS NOT NULL \
      THEN magic_changes(\(values)) END\(last) \
      FROM temp."magic_touched" AS touched LEFT JOIN main.\(name.quoted) AS row ON \(condition) \
      WHERE touched."table" = \(number) ORDER BY touched."key"
      """
  }

  /// Lets go of what is compiled.
  func close() { question = nil }
}
