import EngineConformance
import MagicSQLite
import MagicSchema
@testable import MagicStore
import MagicTestSupport
import SQLiteTables
import Testing

/// The schema of a file: the tables with their columns in any order and without defaults, the
/// indexes, the triggers, and the rows of the library's own tables.
struct FileSchema {
  /// The names of the tables that types and collections have.
  let tables: Set<String>
  private let lines: [(table: String, text: String)]

  init(_ connection: SQLiteConnection) throws {
    var lines: [(table: String, text: String)] = []
    var tables: Set<String> = []
    let objects = try connection.prepare(
      "SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'view'")
    while try objects.step() {
      let (type, table) = (objects.column(0).text, objects.column(1).text)
      if type == "table" { tables.insert(table) }
      let sql = objects.column(2).text
      lines.append((table, type == "table" ? Self.sorted(sql) : sql))
    }
    for (library, owner) in [
      ("magic_catalogue", "table_name"), ("magic_relationships", "owner_table"),
      ("magic_asset_columns", "table_name"),
    ] where tables.contains(library) {
      let columns = try connection.texts("SELECT name FROM pragma_table_info('\(library)')")
        .filter { !$0.contains("high_water") }
      let values = columns.map { "quote(\($0.quoted))" }.joined(separator: " || ', ' || ")
      let rows = try connection.prepare("SELECT \(owner), \(values) FROM \(library)")
      while try rows.step() {
        lines.append((rows.column(0).text, "\(library): \(rows.column(1).text)"))
      }
    }
    self.tables = tables.filter { !Self.isOfLibrary($0) }
    self.lines = lines.filter { !Self.isOfLibrary($0.table) }
  }

  private static func isOfLibrary(_ table: String) -> Bool {
    LibraryTables.names.contains(table) || table.hasPrefix("sqlite_")
  }

  /// The definition of a table with its columns in alphabetical order and without their defaults.
  private static func sorted(_ sql: String) -> String {
    var parts: [String] = []
    var rest = Substring(sql)
    while let end = rest.firstRange(of: ", \"") {
      parts.append(String(rest[..<end.lowerBound]))
      rest = rest[end.lowerBound...].dropFirst(2)
    }
    var last = String(rest)
    let closing = last.hasSuffix(" WITHOUT ROWID") ? ") WITHOUT ROWID" : ")"
    last.removeLast(closing.count)
    parts.append(last)
    let columns = parts.dropFirst().map { part in
      part.firstRange(of: " DEFAULT ").map { String(part[..<$0.lowerBound]) } ?? part
    }
    return "\(parts[0]), \(columns.sorted().joined(separator: ", "))\(closing)"
  }

  /// The rows about some tables, and about all join tables.
  func lines(of tables: Set<String>) -> [String] {
    lines.filter { tables.contains($0.table) || $0.table.hasPrefix("magic_") }.map(\.text).sorted()
  }
}

extension SQLiteConnection {
  /// The complete contents of a file: the SQL of each table, and each of its rows.
  func dump() throws -> [String] {
    var lines = try texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    for table in try texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
      let info = try prepare("PRAGMA table_info(\(table.quoted))")
      var columns: [String] = []
      while try info.step() { columns.append("quote(\(info.column(1).text.quoted))") }
      let rows = "SELECT \(columns.joined(separator: " || ', ' || ")) FROM \(table.quoted)"
      lines += try texts(rows).map { "\(table): \($0)" }
    }
    return lines
  }
}

extension MagicObjectStore {
  /// Creates or migrates the table of a type.
  func makeTable<Model: MagicObject>(of type: Model.Type) throws {
    try database.writeBlocking { try $0.updateTable(of: ObjectSchema.of(type)) }
  }
}

extension Scratch {
  /// Expects that the file has no fault, and the same schema as a new file of these types.
  func expectAsNew(
    _ types: any MagicObject.Type..., at location: SourceLocation = #_sourceLocation
  ) throws {
    try using { store throws in
      #expect(try store.verify().findings == [], sourceLocation: location)
    }
    let new = Scratch()
    try new.using { store throws in for type in types { try store.makeTable(of: type) } }
    let connection = try raw()
    // Other tools find no fault either.
    #expect(try connection.texts("PRAGMA integrity_check") == ["ok"], sourceLocation: location)
    let schema = try FileSchema(new.raw())
    let (wanted, present) = (
      schema.lines(of: schema.tables), try FileSchema(connection).lines(of: schema.tables)
    )
    #expect(wanted.filter { !present.contains($0) } == [], "lacking", sourceLocation: location)
    #expect(present.filter { !wanted.contains($0) } == [], "surplus", sourceLocation: location)
    #expect(
      try connection.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0,
      sourceLocation: location)
  }

  /// Opens the file as a program that first reads a type, and expects the schema of a new file.
  func migrating<Model: MagicObject>(
    to type: Model.Type, at location: SourceLocation = #_sourceLocation,
    _ body: (MagicObjectStore, [Model]) throws -> Void
  ) throws {
    try using { store throws in try body(store, store.object(of: type)) }
    try expectAsNew(type, at: location)
  }

  /// Expects that neither a read nor a write changes the file to a type.
  @discardableResult
  func expectNoMigration<Model: MagicObject>(
    to type: Model.Type, _ code: MagicError.Code = .needsMigration, property: String? = nil,
    naming texts: [String] = [], at location: SourceLocation = #_sourceLocation
  ) throws -> MagicMigrationPlan? {
    let before = try raw().dump()
    let name = runTimeName(of: type)
    var plan: MagicMigrationPlan?
    try using { store throws in
      for call in [{ _ = try store.object(of: type) }, { _ = try store.removeAll(of: type) }] {
        let error = #expect(throws: MagicError.self, sourceLocation: location) { try call() }
        #expect(error?.code == code, "\(error as Any)", sourceLocation: location)
        #expect(error?.type == name, sourceLocation: location)
        #expect(error?.property == property, sourceLocation: location)
        for text in texts {
          #expect(
            error?.message.contains(text) == true, "\(error?.message ?? "")",
            sourceLocation: location)
        }
        if code == .needsMigration {
          #expect(error?.plan?.refused.isEmpty == false, sourceLocation: location)
        }
        plan = error?.plan
      }
    }
    #expect(try raw().dump() == before, sourceLocation: location)
    return plan
  }
}

/// The name of a type, read at run time: if the optimiser knows the type, it inserts another name
/// for a private one.
@inline(never)
private func runTimeName(of type: Any.Type) -> String { String(describing: type) }
