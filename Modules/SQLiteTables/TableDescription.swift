package import MagicSQLite
import MagicSchema

/// The table of a type as it is in a file, with the collections that belong to it. A planner changes
/// it to what it will be.
package struct TableDescription {
  package struct Column {
    /// As it is, or will be when it is looked for.
    package var name: String
    /// As it was declared; "" for none.
    package var type: String
    package var isRequired: Bool
    package let isKey: Bool
    /// Whether it holds names of files.
    package var isFile: Bool
    /// Of a to-one, where it leads.
    package var toOne: Relationship?
    /// What is known of the values.
    package var values: Values
    /// Whether it may become what takes something away.
    package var mayLose = false
    /// Whether the values were set by a closure: what they are is seen from them alone.
    package var isFree = false

    package init(
      name: String, type: String, isRequired: Bool, isKey: Bool, isFile: Bool,
      toOne: Relationship? = nil, values: Values, mayLose: Bool = false, isFree: Bool = false
    ) {
      self.name = name
      self.type = type
      self.isRequired = isRequired
      self.isKey = isKey
      self.isFile = isFile
      self.toOne = toOne
      self.values = values
      self.mayLose = mayLose
      self.isFree = isFree
    }

    /// Whether the values are in a column of the file.
    package var isStored: Bool { if case .stored = values { true } else { false } }

    /// Whether it is to be dropped.
    package var isDeleted: Bool { name.hasPrefix(Self.deletedPrefix) }

    /// What the name of a column that is to be dropped begins with.
    package static let deletedPrefix = "magic_deleted "
  }

  /// Where a column's values are, before a plan is carried out.
  package enum Values: Equatable {
    /// In a column of the file, by its name there.
    case stored(as: String)
    /// There are none yet.
    case none
    /// A step will have changed them.
    case unknown
  }

  package struct Index {
    package let name: String
    /// Of expressions, "".
    package var columns: [String]
    package let isUnique: Bool
  }

  /// A collection of the type's.
  package struct Collection {
    /// As the catalogue has it.
    package var relationship: Relationship
    /// The table of its links.
    package var linkTable: String
    /// That table's name before a plan is carried out.
    package let storedTable: String
    /// The declared type of a dictionary's keys; nil for other kinds.
    package let keyType: String?
    package var mayLose = false

    package mutating func rename(to name: String, linkTable table: String) {
      relationship.column = name
      relationship.linkTable = table
      linkTable = table
    }
  }

  /// As it is written in the file, or will be when it is looked for.
  package var name: String
  /// The name before a plan is carried out.
  package let storedName: String
  package var columns: [Column]
  package var collections: [Collection]
  package var indexes: [Index]
  /// The triggers on the table, and the indexes that are not the library's.
  package var objects: [UserSchemaObject]
  /// The number of the last step that was taken.
  package var version: Int
  /// Whether rows are in a table without the triggers that count uses of files.
  package var isDetached = false

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
      guard let linkTable = relationship.linkTable, linkTable.hasPrefix(JoinTableName.prefix),
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
  package mutating func renameColumn(at place: Int, to name: String) {
    let old = columns[place].name
    columns[place].name = name
    for index in indexes.indices {
      for column in indexes[index].columns.indices where indexes[index].columns[column] == old {
        indexes[index].columns[column] = name
      }
    }
  }

  package func column(named name: String) -> Column? {
    columns.first { $0.name.isName(name) && !$0.isDeleted }
  }

  package func collection(named name: String) -> Collection? {
    collections.first { $0.relationship.column.isName(name) }
  }
}

extension Catalogue {
  /// Describes a table of the file.
  package func describe(_ table: String) throws(SQLiteError) -> TableDescription {
    try TableDescription(of: table, on: connection)
  }
}
