import MagicSQLite

/// The table of a type as it is in a file, with the collections that belong to it. A planner changes
/// it to what it will be.
struct TableDescription {
  struct Column {
    /// As it is, or will be when it is looked for.
    var name: String
    /// As it was declared; "" for none.
    var type: String
    var isRequired: Bool
    let isKey: Bool
    /// Whether it holds names of files.
    var isFile: Bool
    /// Of a to-one, where it leads.
    var toOne: Relationship?
    /// What is known of the values.
    var values: Values
    /// Whether it may become what takes something away.
    var mayLose = false
    /// Whether the values were set by a closure: what they are is seen from them alone.
    var isFree = false

    /// Whether the values are in a column of the file.
    var isStored: Bool { if case .stored = values { true } else { false } }

    /// Whether it is to be dropped.
    var isDeleted: Bool { name.hasPrefix(Self.deletedPrefix) }

    /// What the name of a column that is to be dropped begins with.
    static let deletedPrefix = "magic_deleted "
  }

  /// Where a column's values are, before a plan is carried out.
  enum Values: Equatable {
    /// In a column of the file, by its name there.
    case stored(as: String)
    /// There are none yet.
    case none
    /// A step will have changed them.
    case unknown
  }

  struct Index {
    let name: String
    /// Of expressions, "".
    var columns: [String]
    let isUnique: Bool
  }

  /// A collection of the type's.
  struct Collection {
    /// As the catalogue has it.
    var relationship: Relationship
    /// The table of its links.
    var linkTable: String
    /// That table's name before a plan is carried out.
    let storedTable: String
    /// The declared type of a dictionary's keys; nil for other kinds.
    let keyType: String?
    var mayLose = false

    mutating func rename(to name: String, linkTable table: String) {
      relationship.column = name
      relationship.linkTable = table
      linkTable = table
    }
  }

  /// As it is written in the file, or will be when it is looked for.
  var name: String
  /// The name before a plan is carried out.
  let storedName: String
  var columns: [Column]
  var collections: [Collection]
  var indexes: [Index]
  /// The triggers on the table, and the indexes that are not the library's.
  var objects: [UserSchemaObject]
  /// The number of the last step that was taken.
  var version: Int
  /// Whether rows are in a table without the triggers that count uses of files.
  var isDetached = false

  init(of table: String, on connection: SQLiteConnection) throws(SQLiteError) {
    let catalogue = Catalogue(connection: connection)
    let name = try catalogue.tableName(for: table) ?? table
    self.name = name
    storedName = name
    let files = try catalogue.assetColumns(of: name)
    let relationships = try catalogue.relationships().filter { $0.owner == name }

    let statement = try connection.prepare("PRAGMA table_info(\(table.quoted))")
    var columns: [Column] = []
    while try statement.step() {
      let name = statement.column(1).text
      columns.append(
        Column(
          name: name, type: statement.column(2).text,
          isRequired: statement.column(3).integer != 0, isKey: statement.column(5).integer != 0,
          isFile: files.contains(name.folded),
          toOne: relationships.first { $0.linkTable == nil && $0.column.isName(name) },
          values: .stored(as: name)))
    }
    self.columns = columns

    var collections: [Collection] = []
    for relationship in relationships {
      // A row that names no table of links says nothing.
      guard let linkTable = relationship.linkTable, linkTable.hasPrefix(LinkTable.prefix),
        try catalogue.exists(linkTable)
      else { continue }
      collections.append(
        Collection(
          relationship: relationship, linkTable: linkTable, storedTable: linkTable,
          keyType: try Self.keyType(of: linkTable, on: connection)))
    }
    self.collections = collections

    let list = try connection.prepare("PRAGMA index_list(\(table.quoted))")
    var indexes: [Index] = []
    while try list.step() {
      let name = list.column(1).text
      let info = try connection.prepare("PRAGMA index_info(\(name.quoted))")
      var columns: [String] = []
      while try info.step() { columns.append(info.column(2).text) }
      indexes.append(
        Index(name: name, columns: columns, isUnique: list.column(2).integer != 0))
    }
    self.indexes = indexes
    objects = try catalogue.schemaObjects(on: name)
    version = try catalogue.version(of: name)
  }

  private static func keyType(
    of linkTable: String, on connection: SQLiteConnection
  ) throws(SQLiteError) -> String? {
    let statement = try connection.prepare("PRAGMA table_info(\(linkTable.quoted))")
    while try statement.step() {
      if statement.column(1).text == "key" { return statement.column(2).text }
    }
    return nil
  }

  /// A column gets another name; indexes follow it.
  mutating func renameColumn(at place: Int, to name: String) {
    let old = columns[place].name
    columns[place].name = name
    for index in indexes.indices {
      for column in indexes[index].columns.indices where indexes[index].columns[column] == old {
        indexes[index].columns[column] = name
      }
    }
  }

  func column(named name: String) -> Column? {
    columns.first { $0.name.isName(name) && !$0.isDeleted }
  }

  func collection(named name: String) -> Collection? {
    collections.first { $0.relationship.column.isName(name) }
  }
}

extension Catalogue {
  /// Describes a table of the file.
  func describe(_ table: String) throws(SQLiteError) -> TableDescription {
    try TableDescription(of: table, on: connection)
  }
}

extension String {
  /// Whether two names are one to SQLite, which compares bytes and folds ASCII letters alone.
  package func isName(_ other: String) -> Bool { folded.utf8.elementsEqual(other.folded.utf8) }

  /// The name with its ASCII letters in lower case.
  package var folded: String {
    String(
      decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }
}
