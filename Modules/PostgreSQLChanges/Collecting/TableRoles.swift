import MagicEngine
import MagicSchema
import PostgreSQLEngine
import PostgreSQLTables

/// What the rows of a table mean for the observers.
struct TableRoles {
  let relation: OutputMessage.Relation
  /// Not nil for an observed table of a type.
  private(set) var rows: Rows?
  private(set) var links: [Links] = []
  /// Whether only the fact that the table has changed is observed.
  private(set) var isPlain = false
  /// The case-folded name of a type's table whose columns are not those of the catalogue, so that only
  /// the fact that it has changed is known.
  private(set) var unreadable: String?

  /// A type of objects, as far as observers need it.
  struct ObservedType {
    let names: TableNames
    /// The name of the primary column; empty if there is none, nil if the type is not known in this
    /// process.
    let primary: String?
    /// The names of the columns of the key.
    let key: [String]
  }

  /// The rows of a type. Columns are indexes in the relation.
  struct Rows {
    let type: ObservedType
    let rowID: Int
    /// The column of each name.
    let columns: [Int]
    /// The index of the primary among the names; nil if there is none.
    let primary: Int?
    let isRowIDPrimary: Bool
    /// The indexes of the key's columns among the names.
    let key: [Int]

    /// The columns that identify a row: the primary, then the key.
    var identity: [Int] { (primary.map { [$0] } ?? []) + key }
  }

  /// Join rows of a collection, or the objects of a join type.
  struct Links {
    /// The name under which changes are published, case-folded.
    let name: String
    /// The type of the owners; nil if only the fact that the table has changed is observed.
    let type: ObservedType?
    /// The index of the collection among the names of the owner.
    let collection: Int?
    let ownerColumn: Int
    /// The column that distinguishes the rows of an owner.
    let part: Int
    let others: [Int]
  }

  var isObserved: Bool { rows != nil || !links.isEmpty || isPlain || unreadable != nil }

  init(
    _ relation: OutputMessage.Relation, _ filter: ObservationFilter, _ catalogue: StreamCatalogue,
    _ context: PublisherContext
  ) {
    self.relation = relation
    let name = relation.name.folded
    func isObserved(_ type: String) -> Bool { filter.isAllTypes || filter.types.contains(type) }
    func column(_ name: String) -> Int? {
      relation.columns.firstIndex { $0.name.isName(name) }
    }
    if let names = catalogue.types[name], isObserved(name) || filter.tables.contains(name) {
      rows = Rows(relation, Self.type(names, filter, context))
      if rows == nil { unreadable = name }
    }
    if let join = catalogue.joinTables[name] {
      addJoinTable(join, filter, catalogue, context, column)
    }
    for (owner, names) in catalogue.types where isObserved(owner) {
      let joins = Self.joinTypes(of: names, filter, context)
      guard !joins.isEmpty else { continue }
      let type = Self.type(names, filter, context)
      for join in joins where join.table.isName(relation.name) {
        guard let ownerColumn = column(join.owner), let part = column(StreamCatalogue.rowID) else {
          continue
        }
        links.append(
          Links(
            name: JoinTableName.name(owner: names.table, property: join.property).folded,
            type: type, collection: type.names.collections.firstIndex(of: join.property),
            ownerColumn: ownerColumn, part: part, others: join.others.compactMap(column)))
      }
    }
    isPlain = rows == nil && unreadable == nil && links.isEmpty && filter.tables.contains(name)
  }

  private mutating func addJoinTable(
    _ join: StreamCatalogue.Join, _ filter: ObservationFilter, _ catalogue: StreamCatalogue,
    _ context: PublisherContext, _ column: (String) -> Int?
  ) {
    let isType = filter.isAllTypes || filter.types.contains(join.owner)
    guard isType || filter.tables.contains(relation.name.folded), let owner = column("owner"),
      let part = column("position") ?? column("key") ?? column("target")
    else { return }
    let type = isType ? catalogue.types[join.owner].map { Self.type($0, filter, context) } : nil
    links.append(
      Links(
        name: relation.name.folded, type: type,
        collection: type?.names.collections.firstIndex(of: join.property), ownerColumn: owner,
        part: part, others: relation.columns.indices.filter { $0 != owner }))
  }

  /// The join types of a type's collections, which the catalogue does not record.
  private static func joinTypes(
    of names: TableNames, _ filter: ObservationFilter, _ context: PublisherContext
  ) -> [ObservedJoinType] {
    filter.joinTypes[names.table.folded] ?? context.joinTypes(of: names.table)
  }

  private static func type(
    _ names: TableNames, _ filter: ObservationFilter, _ context: PublisherContext
  ) -> ObservedType {
    let name = names.table.folded
    let joins = joinTypes(of: names, filter, context).map(\.property)
    let all =
      joins.isEmpty
      ? names
      : TableNames(
        table: names.table, columns: names.columns, collections: names.collections + joins,
        rowKeys: [StreamCatalogue.rowID])
    return ObservedType(
      names: all, primary: filter.primaries[name] ?? context.primary(of: name),
      key: filter.keys[name] ?? context.key(of: name) ?? [])
  }
}

extension TableRoles.Rows {
  /// Nil if the relation lacks a column, because the table was changed.
  fileprivate init?(_ relation: OutputMessage.Relation, _ type: TableRoles.ObservedType) {
    let names = type.names
    func index(_ name: String, _ all: [String]) -> Int? { all.firstIndex { $0.isName(name) } }
    let all = relation.columns.map(\.name)
    let columns = names.columns.compactMap { index($0, all) }
    guard let rowID = index(StreamCatalogue.rowID, all), columns.count == names.columns.count else {
      return nil
    }
    self.type = type
    self.rowID = rowID
    self.columns = columns
    primary = type.primary.flatMap { index($0, names.columns) }
    isRowIDPrimary = type.primary == StreamCatalogue.rowID
    key = type.key.compactMap { index($0, names.columns) }
  }
}
