import MagicSQLite
package import MagicSchema

/// A table of the file that other SQL has created.
package struct ForeignTable {
  /// A foreign key of the table.
  package struct Reference {
    package var columns: [String] = []
    package let table: String
    /// The columns that it refers to; nil for the primary key.
    package var targets: [String]? = []
  }

  /// A foreign key of another table that refers to this one.
  package struct Referrer {
    package let table: String
    /// The column that it refers to; nil for the primary key.
    package let column: String?
  }

  /// The name in the file, which changes when the table is renamed.
  package private(set) var storedName: String
  /// The name with which the table was found.
  private let formerName: String
  /// The name when the rows are copied.
  package var name: String
  package let columns: [String]
  /// The columns of the primary key, in its order.
  package let key: [String]
  /// Whether the primary key is the row ID.
  package let hasRowIDKey: Bool
  /// The expression for the row IDs; nil if the rows have none. A table WITHOUT ROWID is numbered in
  /// the order of its primary key.
  package let number: String?
  package let references: [Reference]
  package let referrers: [Referrer]
  /// Whether the table was created with AUTOINCREMENT.
  package let hasSequence: Bool
  package let isVirtual: Bool
  /// The names of the views and triggers that name the table.
  package let dependents: [String]

  package init(_ table: String, _ catalogue: Catalogue) throws {
    let connection = catalogue.connection
    let name = try catalogue.tableName(for: table) ?? table
    storedName = name
    formerName = name
    self.name = name
    let info = try connection.prepare("PRAGMA table_xinfo(\(name.quoted))")
    var columns: [String] = []
    var key: [(place: Int64, name: String)] = []
    // 1 is a hidden column of a virtual table; other values are ordinary and generated columns.
    while try info.step() {
      guard info.column(6).integer != 1 else { continue }
      columns.append(info.column(1).text)
      if info.column(5).integer > 0 { key.append((info.column(5).integer, columns.last ?? "")) }
    }
    self.columns = columns
    self.key = key.sorted { $0.place < $1.place }.map(\.name)
    let index = try connection.textColumn(
      "SELECT \"name\" FROM pragma_index_list(\(name.literal)) WHERE \"origin\" = 'pk'"
    ).first
    hasRowIDKey = key.count == 1 && index == nil
    // The index of a primary key is an object of the file only if the table has row IDs.
    let hasRowIDs =
      try index.map {
        try connection.integer(
          "SELECT count(*) FROM sqlite_master WHERE \"name\" = \($0.literal)") != 0
      } ?? true
    number = Self.number(hasRowIDs, columns, self.key, hasRowIDKey)
    references = try Self.references(of: name, connection)
    referrers = try Self.referrers(to: name, connection)
    hasSequence =
      try catalogue.exists("sqlite_sequence")
      && connection.integer(
        "SELECT count(*) FROM \"sqlite_sequence\" WHERE \"name\" = \(name.literal)") != 0
    isVirtual =
      try connection.integer(
        "SELECT \"rootpage\" FROM sqlite_master WHERE \"type\" = 'table' "
          + "AND \"name\" = \(name.literal)") == 0
    dependents = try Self.dependents(on: name, connection)
  }

  /// The rows with their row IDs in the column `z_index`, for a FROM clause.
  ///
  /// - Parameter isPlanned: whether the table has its planned name.
  package func rows(_ columns: [String]? = nil, isPlanned: Bool) -> String {
    let selected = columns.map { $0.map(\.quoted).joined(separator: ", ") } ?? "*"
    return "(SELECT \(number ?? "NULL") AS \"z_index\", \(selected) "
      + "FROM \((isPlanned ? name : storedName).quoted))"
  }

  /// Whether a reference names this table.
  package func isNamed(_ name: String) -> Bool {
    formerName.isName(name) || self.name.isName(name)
  }

  /// The table got its planned name.
  package mutating func didRename() { storedName = name }

  /// Returns the name of a column as the table writes it; nil if it has no such column.
  package func column(_ name: String) -> String? { columns.first { $0.isName(name) } }

  private static func number(
    _ hasRowIDs: Bool, _ columns: [String], _ key: [String], _ hasRowIDKey: Bool
  ) -> String? {
    guard hasRowIDs else {
      let order = key.map(\.quoted).joined(separator: ", ")
      return "row_number() OVER (ORDER BY \(order))"
    }
    if hasRowIDKey { return key[0].quoted }
    return ["rowid", "_rowid_", "oid"].first { name in !columns.contains { $0.isName(name) } }
  }

  private static func references(
    of table: String, _ connection: SQLiteConnection
  ) throws -> [Reference] {
    let list = try connection.prepare(
      "SELECT \"id\", \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(\(table.literal)) "
        + "ORDER BY \"id\" DESC, \"seq\"")
    var references: [Reference] = []
    var last: Int64?
    while try list.step() {
      if last != list.column(0).integer { references.append(Reference(table: list.column(1).text)) }
      last = list.column(0).integer
      let place = references.count - 1
      references[place].columns.append(list.column(2).text)
      if let target = list.column(3).textOrNil {
        references[place].targets?.append(target)
      } else {
        references[place].targets = nil
      }
    }
    return references
  }

  private static func referrers(
    to table: String, _ connection: SQLiteConnection
  ) throws -> [Referrer] {
    let list = try connection.prepare(
      """
      SELECT m."name", k."to", k."table" FROM sqlite_master AS m, \
      pragma_foreign_key_list(m."name") AS k WHERE m."type" = 'table' ORDER BY m."name"
      """)
    var referrers: [Referrer] = []
    while try list.step() {
      guard list.column(2).text.isName(table), !list.column(0).text.isName(table) else { continue }
      referrers.append(Referrer(table: list.column(0).text, column: list.column(1).textOrNil))
    }
    return referrers
  }

  private static func dependents(
    on table: String, _ connection: SQLiteConnection
  ) throws -> [String] {
    let list = try connection.prepare(
      "SELECT \"type\", \"name\", \"sql\" FROM sqlite_master "
        + "WHERE \"type\" IN ('view', 'trigger') ORDER BY \"type\", \"name\"")
    var names: [String] = []
    while try list.step() {
      guard list.column(2).text.mentions(table) else { continue }
      names.append("the \(list.column(0).text) \(list.column(1).text)")
    }
    return names
  }
}

extension String {
  /// Whether a text of SQL contains a name. A name in a text literal or a comment counts too.
  fileprivate func mentions(_ name: String) -> Bool {
    let text = Array(folded.utf8)
    let forms = [name, String(name.quoted.dropFirst().dropLast())].map { Array($0.folded.utf8) }
    func isPart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
      default: false
      }
    }
    return forms.contains { form in
      guard !form.isEmpty, form.count <= text.count else { return false }
      return (0...(text.count - form.count)).contains { start in
        let end = start + form.count
        return text[start..<end].elementsEqual(form)
          && !(start > 0 && isPart(text[start - 1])) && !(end < text.count && isPart(text[end]))
      }
    }
  }
}

extension ObjectSchema {
  /// The name of the table that the type's migrations adopt if the type has no table; nil if they
  /// adopt none.
  package var adoptedTable: String? {
    for change in migrations.steps.lazy.flatMap(\.changes) {
      if case .adopt(let table, _) = change.kind { return table ?? tableName }
    }
    return nil
  }
}
