import MagicEngine
import MagicSQLite
import MagicSchema
import SQLiteTables

/// The triggers that record the changed rows of a table, and the query for their current values.
///
/// The triggers are temporary and exist only on the connection that writes. Before the first change
/// of a row in a body, they record the row's key in ``TouchedRows``, with a digest of each value, or
/// without digests if the row did not exist. When the body ends, the recorder compares these digests
/// with the current row. Therefore a row that was inserted and deleted again, or a value that was set
/// to its old value, is no change.
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

  let number: Int
  /// The name of the table in the file.
  let name: String
  /// The name under which changes are published: that of the table, or for an owned list and a
  /// collection through a join type the name of the join table that it would have.
  let publishedName: String
  let kind: Kind
  /// The names of the columns and collections; nil if the table has no type.
  let names: TableNames?
  /// The type, as the recorder has described it last.
  @exclusivity(unchecked) var recordedType: RecordedType?
  @exclusivity(unchecked) private var cachedSelect: SQLiteStatement?

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
      let touch = touch("0", "0", exists: "0")
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
    func touch(_ row: String, exists: String = "1") -> String {
      self.touch(
        "\(row).\(key)", part.map { "\(row).\($0)" } ?? "0", exists: exists,
        exists == "0" ? [] : columns.map { "\(row).\($0.quoted)" })
    }
    let (old, new) = (touch("OLD"), touch("NEW", exists: "0"))
    let hasNewKey =
      "NEW.\(key) IS NOT OLD.\(key)" + (part.map { " OR NEW.\($0) IS NOT OLD.\($0)" } ?? "")
    // With `OR REPLACE`, SQLite may be about to delete an existing row that has the new key.
    let condition =
      "row.\(key) = NEW.\(key)" + (part.map { " AND row.\($0) = NEW.\($0)" } ?? "")
    let overwritten = self.touch(
      "NEW.\(key)", part.map { "NEW.\($0)" } ?? "0", exists: "row.\(key) IS NOT NULL",
      columns.map { "row.\($0.quoted)" },
      from: "(SELECT 1 WHERE \(hasNewKey)) LEFT JOIN main.\(name.quoted) AS row ON \(condition)")
    return [
      ("AFTER INSERT", [new]), ("BEFORE UPDATE\(updatedColumns)", [old, overwritten]),
      ("BEFORE DELETE", [old]),
    ]
  }

  /// Whether the rows are the members of an owned list, or objects of a join type. They may have no
  /// owner.
  private var isOwned: Bool { publishedName != name }

  private var isLink: Bool { if case .links = kind { true } else { false } }

  /// The clause for the columns of an owned list or a join type: other columns of the rows are
  /// changed more often.
  private var updatedColumns: String {
    guard isOwned, case .links(_, _, let owner, _, let others) = kind else { return "" }
    return " OF " + ([owner] + others).map(\.quoted).joined(separator: ", ")
  }

  /// Returns the statement that records a row.
  private func touch(
    _ key: String, _ part: String, exists: String, _ values: [String] = [],
    from source: String? = nil
  ) -> String {
    let arguments = ["\(number)", key, part, exists] + values
    return "SELECT \(SQLiteConnection.touchFunction)(\(arguments.joined(separator: ", ")))"
      + (source.map { " FROM \($0)" } ?? "")
      // A row without an owner is in no list.
      + (isLink ? " WHERE \(key) IS NOT NULL" : "")
  }

  // MARK: Current values

  /// The columns of a type whose values are recorded.
  var recordedColumns: [String] {
    if case .rows(let columns, _) = kind { columns } else { [] }
  }

  /// Returns a statement for the current values of a row, in the order in which they were recorded. It
  /// has no row if the row does not exist any more. The parameters are the parts of the key.
  func current(_ connection: SQLiteConnection) throws(SQLiteError) -> SQLiteStatement {
    if let cachedSelect { return cachedSelect }
    let statement = try connection.prepare(select, isPersistent: true)
    cachedSelect = statement
    return statement
  }

  private var select: String {
    let condition: String
    let columns: [String]
    switch kind {
    case .plain: return "SELECT 1 WHERE 0"
    case .rows(let names, _): (condition, columns) = ("\"z_index\" = ?1", names)
    case .links(_, _, let owner, let part, let others):
      (condition, columns) = ("\(owner.quoted) = ?1 AND \(part.quoted) = ?2", others)
    }
    let values = columns.isEmpty ? "1" : columns.map(\.quoted).joined(separator: ", ")
    return "SELECT \(values) FROM main.\(name.quoted) WHERE \(condition)"
  }

  /// Releases the compiled statement.
  func close() { cachedSelect = nil }
}
