import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The triggers that record the changes of a table, and the query for the recorded changes.
///
/// The triggers are temporary and exist only on the connection that writes. Before the first change
/// of a row in a transaction, they insert the row's key into `magic_touched`, with a digest of each
/// value, or without digests if the row did not exist. When the body ends, the recorder compares
/// these digests with the current row. Therefore a row that was inserted and deleted again, or a
/// value that was set to its old value, is no change.
final class TableTriggers {
  package enum Kind: Equatable {
    /// The rows of a type. A wide table has several of these, each for some of its columns, from
    /// the index `first`.
    case rows(columns: [String], first: Int)
    /// The join rows of a collection. The columns `ownerColumn` and `key` identify a join row;
    /// `others` are its other columns.
    case links(
      owner: String, property: String, ownerColumn: String = "owner", key: String,
      others: [String])
    /// A table without a type.
    case plain
  }

  /// The prefix of the triggers' names.
  static let prefix = Catalogue.recordingTriggers

  /// The number in `magic_touched` of the rows that record schema changes.
  static let schemaChangeNumber = 0

  static let createTouched = """
    CREATE TEMP TABLE IF NOT EXISTS "magic_touched" ("table" INTEGER NOT NULL, "key", "part", \
    "digests" BLOB, PRIMARY KEY ("table", "key", "part")) WITHOUT ROWID
    """

  let number: Int
  /// The name of the table in the file.
  let name: String
  /// The name under which changes are published: that of the table, or for an owned list and a
  /// collection through a join type the name of the join table that it would have.
  let publishedName: String
  let kind: Kind
  /// The names of the columns and collections; nil if the table has no type.
  let names: TableNames?
  private var cachedSelect: (values: [String], statement: SQLiteStatement)?

  init(
    _ number: Int, _ name: String, _ kind: Kind, names: TableNames?, publishedName: String? = nil
  ) {
    self.number = number
    self.name = name
    self.publishedName = publishedName ?? name
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
      let touch = touch("0", "0", digests: "0")
      bodies = [
        ("AFTER INSERT", [touch]), ("BEFORE UPDATE", [touch]), ("BEFORE DELETE", [touch]),
      ]
    case .rows(let columns, _):
      bodies = rowTriggerBodies(key: "\"z_index\"", part: nil, columns)
    case .links(_, _, let owner, let key, let others):
      bodies = rowTriggerBodies(key: owner.quoted, part: key.quoted, others)
    }
    return zip(Self.triggerNames(number), bodies).map { name, body in
      "CREATE TEMP TRIGGER \(name.quoted) \(body.event) ON main.\(self.name.quoted) BEGIN "
        + body.statements.map { "\($0); " }.joined() + "END"
    }.joined(separator: ";")
  }

  /// BEFORE triggers of updates and deletes see the old row, independent of other triggers. Before
  /// an insert the row has no key yet, so that trigger runs after it.
  private func rowTriggerBodies(
    key: String, part: String?, _ columns: [String]
  ) -> [(event: String, statements: [String])] {
    let old = touch(
      "OLD.\(key)", part.map { "OLD.\($0)" } ?? "0", digests: digests(of: columns, in: "OLD"))
    let (newKey, newPart) = ("NEW.\(key)", part.map { "NEW.\($0)" })
    let new = touch(newKey, newPart ?? "0", digests: "0")
    let hasNewKey =
      "\(newKey) IS NOT OLD.\(key)" + (part.map { " OR NEW.\($0) IS NOT OLD.\($0)" } ?? "")
    // With `OR REPLACE`, SQLite may be about to delete an existing row that has the new key.
    let condition =
      "row.\(key) = \(newKey)" + (part.map { " AND row.\($0) = NEW.\($0)" } ?? "")
    let overwritten = touch(
      newKey, newPart ?? "0", digests: digests(of: columns, in: "row", "row.\(key) IS NOT NULL"),
      from: "(SELECT 1 WHERE \(hasNewKey)) LEFT JOIN main.\(name.quoted) AS row ON \(condition)")
    return [
      ("AFTER INSERT", [new]), ("BEFORE UPDATE\(updatedColumns)", [old, overwritten]),
      ("BEFORE DELETE", [old]),
    ]
  }

  /// Whether the rows are the members of an owned list, or objects of a join type. They may have no
  /// owner.
  private var isOwned: Bool { publishedName != name }

  /// The clause for the columns of an owned list or a join type: other columns of the rows are
  /// changed more often.
  private var updatedColumns: String {
    guard isOwned, case .links(_, _, let owner, _, let others) = kind else { return "" }
    return " OF " + ([owner] + others).map(\.quoted).joined(separator: ", ")
  }

  private func digests(of columns: [String], in row: String, _ exists: String = "1") -> String {
    ([exists] + columns.map { "\(row).\($0.quoted)" }).joined(separator: ", ")
  }

  /// Returns the statement that inserts a row into `magic_touched` if the table does not contain
  /// it. `OR IGNORE` would not work: the conflict clause of the statement that fires a trigger
  /// overrides the clauses in the trigger. The unary `+` removes the affinity of the column; with
  /// the affinity, SQLite would not use the index to look up the key.
  private func touch(
    _ key: String, _ part: String, digests: String, from source: String? = nil
  ) -> String {
    // A row without an owner is in no list.
    let hasOwner = isOwned ? "\(key) IS NOT NULL AND " : ""
    return """
        INSERT INTO "magic_touched" SELECT \(number), \(key), \(part), \
        magic_digests(\(number), \(digests)) \(source.map { "FROM \($0) " } ?? "")WHERE \(hasOwner)NOT EXISTS (\
        SELECT 1 FROM "magic_touched" \
        WHERE "table" = \(number) AND "key" = +\(key) AND "part" = +\(part))
      """
  }

  // MARK: Recorded changes

  /// Returns a statement for the touched rows in the order of their keys. Its columns are the key,
  /// the old digests, the current key (NULL if the row does not exist any more), the changed
  /// columns as bits if the row existed before and still exists, and then the current values of
  /// columns.
  func touched(
    _ connection: SQLiteConnection, values: [String] = []
  ) throws(SQLiteError) -> SQLiteStatement {
    if let cachedSelect, cachedSelect.values == values { return cachedSelect.statement }
    let statement = try connection.prepare(select(values), isPersistent: true)
    cachedSelect = (values, statement)
    return statement
  }

  private func select(_ current: [String]) -> String {
    let key: String
    let condition: String
    let columns: [String]
    switch kind {
    case .plain:
      return "SELECT 0, NULL, 0, 1 FROM temp.\"magic_touched\" WHERE \"table\" = \(number)"
    case .rows(let names, _):
      (key, columns) = ("row.\"z_index\"", names)
      condition = "\(key) = touched.\"key\""
    case .links(_, _, let owner, let part, let others):
      (key, columns) = ("row.\(owner.quoted)", others)
      condition = "\(key) = touched.\"key\" AND row.\(part.quoted) = touched.\"part\""
    }
    let values = (["touched.\"digests\""] + columns.map { "row.\($0.quoted)" })
      .joined(separator: ", ")
    let last = current.map { ", row.\($0.quoted)" }.joined()
    return """
      SELECT touched."key", touched."digests", \(key), \
      CASE WHEN touched."digests" IS NOT NULL AND \(key) IS NOT NULL \
      THEN magic_changes(\(values)) END\(last) \
      FROM temp."magic_touched" AS touched LEFT JOIN main.\(name.quoted) AS row ON \(condition) \
      WHERE touched."table" = \(number) ORDER BY touched."key"
      """
  }

  /// Releases the compiled statement.
  func close() { cachedSelect = nil }
}
