import MagicEngine
package import MagicSQLite
package import MagicSchema
package import Magical

/// The table of a type as it is in a file, with its collections. A planner changes the description
/// to the planned state.
package struct TableDescription {
  package struct Column {
    /// The current name, or the planned one.
    package var name: String
    /// The declared type; "" if there is none.
    package var type: String
    package var isRequired: Bool
    package let isKey: Bool
    /// Whether the column contains names of files.
    package var isFile: Bool
    /// The relationship of a to-one column.
    package var toOne: Relationship?
    /// Where the values of the column are.
    package var values: Values
    /// Whether the user permits a migration of this column that loses data.
    package var mayLose = false
    /// Whether a closure has set the values, so that only the values themselves show their type.
    package var isFree = false
    /// The collation by which SQLite compares the values.
    package var collation = TableSQL.binary
    /// What the values represent; nil if the file does not describe it.
    package var form: ValueForm?

    package init(
      name: String, type: String, isRequired: Bool, isKey: Bool, isFile: Bool,
      toOne: Relationship? = nil, values: Values, mayLose: Bool = false, isFree: Bool = false,
      collation: String = TableSQL.binary, form: ValueForm? = nil
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
      self.collation = collation
      self.form = form
    }

    /// Whether the file has a column with the values.
    package var isStored: Bool { if case .stored = values { true } else { false } }

    /// Whether the column is to be dropped.
    package var isDeleted: Bool { name.hasPrefix(DeletedColumn.prefix) }
  }

  /// The location of a column's values before the plan runs.
  package enum Values: Equatable {
    /// In a column of the file with this name.
    case stored(as: String)
    /// The column has no values yet.
    case none
    /// A migration step will have changed the values.
    case unknown
  }

  package struct Index {
    package let name: String
    /// The columns of the index; "" for an expression.
    package var columns: [String]
    package let isUnique: Bool
  }

  /// A collection of the type.
  package struct Collection {
    /// The relationship in the catalogue.
    package var relationship: Relationship
    /// The join table.
    package var linkTable: String
    /// The name of the join table before the plan runs.
    package let storedTable: String
    /// The declared type of a dictionary's keys; nil for other kinds.
    package let keyType: String?
    /// The columns of an owned list in the file before the plan runs; nil for a collection with a
    /// join table. An owned list has the names of the join table that it would have.
    package let storedOwned: OwnedColumns?
    package var mayLose = false
    /// The query for the join rows before the plan runs, if they are in a table that other SQL has
    /// created.
    private var adoptedRows: String?

    init(
      relationship: Relationship, linkTable: String, keyType: String?, storedOwned: OwnedColumns?
    ) {
      self.relationship = relationship
      self.linkTable = linkTable
      storedTable = linkTable
      self.keyType = keyType
      self.storedOwned = storedOwned
    }

    /// Describes the join table that gets rows of another table.
    ///
    /// - Parameter query: selects the row IDs `owner` and `target`.
    package init(adopting query: String, as relationship: Relationship, linkTable: String) {
      self.init(relationship: relationship, linkTable: linkTable, keyType: nil, storedOwned: nil)
      adoptedRows = query
    }

    package mutating func rename(to name: String, linkTable table: String) {
      relationship.column = name
      linkTable = table
      if storedOwned == nil { relationship.linkTable = table }
    }

    /// The columns of an owned list; nil for a collection with a join table.
    package var owned: OwnedColumns? { relationship.ownedColumns }

    /// The kind of collection; nil if this version of the library does not know it.
    package var kind: LinkKind? {
      relationship.isOwned ? .list : LinkKind(rawValue: relationship.kind)
    }

    /// The join rows before the plan runs, for a FROM clause.
    package var storedSource: String {
      (adoptedRows ?? storedOwned?.select).map { "(\($0))" } ?? storedTable.quoted
    }

    /// The join rows while the plan runs, for a FROM clause.
    package var source: String { owned.map { "(\($0.select))" } ?? linkTable.quoted }
  }

  /// The name in the file, or the planned one.
  package var name: String
  /// The name before the plan runs.
  package let storedName: String
  package var columns: [Column]
  package var collections: [Collection]
  /// The columns of owned lists that have members in this table. ``columns`` does not contain them.
  package var owned: [OwnedColumns]
  package var indexes: [Index]
  /// The triggers on the table, and the indexes that the library did not create.
  package var objects: [UserSchemaObject]
  /// The number of the last migration step that was applied.
  package var version: Int
  /// The search index of the table; nil if there is none.
  package var search: SearchTable?
  /// The property whose value is the row ID; nil if there is none.
  package let rowIDProperty: String?
  /// Whether the rows are in a table without the triggers that count references to files.
  package var isDetached = false
  /// The query for the rows before the plan runs, with the planned names of the columns, if they are
  /// in a table that other SQL has created.
  package var adoptedRows: String?

  init(of table: String, on connection: SQLiteConnection) throws(SQLiteError) {
    let catalogue = Catalogue(connection: connection)
    let name = try catalogue.tableName(for: table) ?? table
    self.name = name
    storedName = name
    let files = try catalogue.assetColumns(of: name)
    let all = try catalogue.relationships()
    let relationships = all.filter { $0.owner == name }
    let foreign = all.compactMap(\.ownedColumns).filter { $0.table.isName(name) }
    let foreignNames = Set(foreign.flatMap(\.columns).map(\.folded))

    let properties = try catalogue.properties(of: name)
    let statement = try connection.prepare("PRAGMA table_info(\(table.quoted))")
    var columns: [Column] = []
    var foreignColumns: Set<String> = []
    while try statement.step() {
      let name = statement.column(1).text
      guard !foreignNames.contains(name.folded) else {
        foreignColumns.insert(name.folded)
        continue
      }
      columns.append(
        Column(
          name: name, type: statement.column(2).text,
          isRequired: statement.column(3).integer != 0, isKey: statement.column(5).integer != 0,
          isFile: files.contains(name.folded),
          toOne: relationships.first { $0.isToOne && $0.column.isName(name) },
          values: .stored(as: name),
          collation: try connection.collation(of: name, in: table) ?? TableSQL.binary,
          form: properties.first { $0.column?.isName(name) ?? false }?.form?.value))
    }
    self.columns = columns
    owned = foreign.filter { $0.columns.allSatisfy { foreignColumns.contains($0.folded) } }

    collections = try Self.collections(relationships, catalogue)
    indexes = try Self.indexes(of: table, on: connection)
    objects = try catalogue.schemaObjects(on: name)
    version = try catalogue.version(of: name)
    search = try catalogue.searchTable(of: name)
    rowIDProperty = properties.first { $0.column?.isName(TableSQL.zIndex) ?? false }?.property
  }

  private static func collections(
    _ relationships: [Relationship], _ catalogue: Catalogue
  ) throws(SQLiteError) -> [Collection] {
    var collections: [Collection] = []
    for relationship in relationships {
      if let owned = relationship.ownedColumns {
        guard try catalogue.hasColumns(owned) else { continue }
        collections.append(
          Collection(
            relationship: relationship, linkTable: owned.name, keyType: nil, storedOwned: owned))
        continue
      }
      // A row without a valid join table is ignored.
      guard let linkTable = relationship.linkTable, linkTable.hasPrefix(JoinTableName.prefix),
        try catalogue.exists(linkTable)
      else { continue }
      collections.append(
        Collection(
          relationship: relationship, linkTable: linkTable,
          keyType: try Self.keyType(of: linkTable, in: catalogue), storedOwned: nil))
    }
    return collections
  }

  private static func indexes(
    of table: String, on connection: SQLiteConnection
  ) throws(SQLiteError) -> [Index] {
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
    return indexes
  }

  private static func keyType(
    of linkTable: String, in catalogue: Catalogue
  ) throws(SQLiteError) -> String? {
    try catalogue.columnTypes(of: linkTable).first { $0.name == "key" }?.type
  }

  /// The rows before the plan runs, for a FROM clause.
  package var storedSource: String { adoptedRows.map { "(\($0))" } ?? storedName.quoted }

  /// Whether other SQL has created the table.
  package var isForeign: Bool {
    !columns.contains { $0.isKey && $0.name.isName(TableSQL.zIndex) }
  }

  /// Whether the original MagicData has created the table. It names columns as Swift names the storage
  /// of property wrappers, and numbers the objects in a column that is no key.
  package var isOriginal: Bool {
    isForeign && columns.contains { $0.name == TableSQL.zIndex }
      && columns.allSatisfy { $0.name == TableSQL.zIndex || $0.name.hasPrefix("_") }
  }

  /// Renames a column, also in the indexes.
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
  /// Whether the table of the members has the columns of an owned list.
  package func hasColumns(_ list: OwnedColumns) throws(SQLiteError) -> Bool {
    let names = Set(try columnTypes(of: list.table).map(\.name.folded))
    return list.columns.allSatisfy { names.contains($0.folded) }
  }

  /// Describes a table of the file.
  package func describe(_ table: String) throws(SQLiteError) -> TableDescription {
    try TableDescription(of: table, on: connection)
  }
}
