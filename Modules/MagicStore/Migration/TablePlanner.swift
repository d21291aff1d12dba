import Magical
import MagicSQLite
import MagicSchema

/// Plans what brings a table to the shape of its type, once the type's own steps are done.
///
/// Columns that come or have another name, indexes and links are changed in place. For everything
/// else the table is made anew, once for all: SQLite before 3.35 cannot drop a column, and no
/// SQLite changes one.
struct TablePlanner {
  let schema: ObjectSchema
  /// The table with the names that its columns have once ``renamings`` are done.
  var shape: TableShape
  let facts: TableFacts
  let sql: TableSQL
  /// The columns and collections of the file that are taken over, by their names in lower case.
  var known: Set<String> = [TableSQL.zIndex]
  /// In the order of the type's columns, what they are made of where the table is made anew.
  var sources: [String] = []
  var changes: [TableChange] = []
  /// What comes before all else, so that what others have made of the columns follows them.
  var renamings: [TableChange] = []
  var links: [LinkChange] = []

  init(_ schema: ObjectSchema, _ shape: TableShape, on connection: SQLiteConnection) {
    self.schema = schema
    self.shape = shape
    facts = TableFacts(connection: connection, shape: shape)
    sql = TableSQL(schema: schema)
  }

  /// What is to be done, in order.
  ///
  /// - Throws: `MagicError` where the table is none of the library's, or cannot be the type's.
  static func works(
    for schema: ObjectSchema, from shape: TableShape, on connection: SQLiteConnection
  ) throws -> [MigrationWork] {
    try check(shape, for: schema)
    var planner = TablePlanner(schema, shape, on: connection)
    for column in schema.columns { try planner.plan(column) }
    for collection in schema.collections { try planner.plan(collection) }
    try planner.planSurplus()
    return try planner.works()
  }

  static func check(_ shape: TableShape, for schema: ObjectSchema) throws {
    guard shape.name == schema.tableName else {
      throw MagicError(
        .tableConflict,
        "The file has a table \(shape.name), which is one with \(schema.tableName) to SQLite. "
          + "Give the type that tableName, or another.",
        type: schema.typeName)
    }
    guard shape.columns.contains(where: { $0.isKey && $0.name.isName(TableSQL.zIndex) }) else {
      throw MagicError(
        .needsMigration, "The table \(shape.name) in the file was not made by this library.",
        type: schema.typeName)
    }
  }

  private mutating func planSurplus() throws {
    for column in shape.columns where !known.contains(column.name.folded) {
      // What a step will have made of it is not known: it may be all there was.
      let count = try column.values == .unknown ? 1 : facts.valueCount(of: column)
      let name =
        column.isDeleted
        ? String(column.name.dropFirst(TableShape.Column.deletedPrefix.count)) : column.name
      changes.append(
        TableChange(
          kind: count > 0 ? .destroying : .rewriting, property: nil,
          summary: "\(name) is dropped"
            + (count > 0 && column.isStored ? ", with the values of \(rows(count))" : ""),
          refusal: count > 0 && !column.isDeleted ? undeclared(name) : nil))
    }
    for collection in shape.collections {
      let name = collection.relationship.column
      guard !known.contains(name.folded) else { continue }
      let count = try facts.linkCount(of: collection)
      links.append(
        LinkChange(
          change: TableChange(
            kind: count > 0 ? .destroying : .rewriting, property: nil,
            summary: "\(name) is dropped" + (count > 0 ? ", with \(RowNames.links(count))" : ""),
            refusal: count > 0 ? undeclared(name) : nil
          ),
          after: LinkChange.drop(collection)))
    }
  }

  private func undeclared(_ name: String) -> String {
    "it is not declared: .deleteValue(name: \"\(name)\") in the type's migrations, or "
      + ".wasNamed(\"\(name)\") where it has another name now"
  }

  func rows(_ count: Int64) -> String { count == 1 ? "one row" : "\(count) rows" }

  // MARK: Putting the steps together

  private func works() throws -> [MigrationWork] {
    let isRebuilt = shape.isDetached || changes.contains { $0.statements == nil }
    var works = renamings.map { MigrationWork(step($0, $0.statements ?? [])) }
    works += changes.compactMap { change in
      change.preceding.map { MigrationWork(filling(change, $0), $0) }
    }
    works += links.compactMap { $0.work(at: .before, schema, isRebuilt: isRebuilt) }
    if isRebuilt {
      works += try rebuild()
    } else {
      works += changes.map { change in
        MigrationWork(step(change, change.statements ?? []))
      }
    }
    works += links.compactMap { $0.work(at: .after, schema, isRebuilt: isRebuilt) }
    if !isRebuilt { works += storedDefaults() + indexes() }
    works += changes.compactMap { change in
      change.following.map { MigrationWork(filling(change, $0), $0) }
    }
    return works
  }

  private func step(_ change: TableChange, _ statements: [String]) -> MagicMigrationPlan.Step {
    MagicMigrationPlan.Step(
      type: schema.typeName, property: change.property, kind: change.kind,
      summary: change.summary, sql: statements, refusal: change.refusal)
  }

  /// The step that gives rows a default beside a change.
  private func filling(
    _ change: TableChange, _ action: MigrationWork.Action
  ) -> MagicMigrationPlan.Step {
    var rows = "the rows that are there get"
    var column = ""
    var condition = ""
    switch action {
    case .file(let new): column = new.name
    case .missingFile(_, let name):
      rows = "the rows without a value get"
      column = name
      condition = " WHERE \(name.quoted) IS NULL"
    default: break
    }
    return MagicMigrationPlan.Step(
      type: schema.typeName, property: change.property, kind: .rewriting,
      summary: "\(rows) the default of \(column)",
      sql: ["UPDATE \(schema.tableName.quoted) SET \(column.quoted) = ?1\(condition)"])
  }

  /// Stores the defaults of new columns, in one pass.
  private func storedDefaults() -> [MigrationWork] {
    let filled = changes.filter { $0.storedDefault != nil }
    let defaults = filled.compactMap(\.storedDefault)
    guard !defaults.isEmpty else { return [] }
    let names = defaults.map(\.column.name).joined(separator: ", ")
    let assignments = defaults.map { "\($0.column.name.quoted) = \($0.value)" }
    let step = MagicMigrationPlan.Step(
      type: schema.typeName, property: filled.count == 1 ? filled[0].property : nil,
      kind: .rewriting, summary: "the rows that are there get the default of \(names)",
      sql: ["UPDATE \(schema.tableName.quoted) SET \(assignments.joined(separator: ", "))"])
    return [MigrationWork(step, .storedDefaults)]
  }

  private func rebuild() throws -> [MigrationWork] {
    let rebuild = try TableRebuild(schema, shape, sources: sources)
    let others = try rebuild.others(facts.connection)
    let properties = Set(changes.map(\.property))
    let reasons = changes.map(\.summary) + (changes.isEmpty ? ["it has the rows of the steps"] : [])
    let refusals = changes.compactMap { change in
      change.refusal.map { "\(change.summary): \($0)" }
    }
    let step = MagicMigrationPlan.Step(
      type: schema.typeName, property: properties.count == 1 ? changes[0].property : nil,
      kind: max(.rewriting, changes.map(\.kind).max() ?? .rewriting),
      summary: "the table is made anew: \(reasons.joined(separator: "; "))",
      sql: rebuild.statements + others.map(\.sql),
      refusal: refusals.isEmpty ? nil : refusals.joined(separator: "; "))
    let files = shape.columns.filter(\.isFile).map(\.name)
    let wanted = schema.fileColumns.map { schema.columns[$0].name }
    let areCounted = !shape.isDetached && Set(files) == Set(wanted)
    let release =
      areCounted || shape.isDetached || files.isEmpty
      ? [] : [MigrationWork(FileCounting.release(files, schema), .statements)]
    let retain =
      areCounted || wanted.isEmpty
      ? [] : [MigrationWork(FileCounting.retain(wanted, schema), .countedFiles(wanted))]
    return release + [MigrationWork(step, .rebuild(rebuild))] + retain
  }

  private func indexes() -> [MigrationWork] {
    func fits(_ present: TableShape.Index, _ wanted: IndexSchema) -> Bool {
      present.name.isName(wanted.name) && present.isUnique == wanted.isUnique
        && present.columns.map(\.folded) == wanted.columns.map(\.folded)
    }
    // Indexes that somebody made by SQL are named otherwise, and stay.
    let surplus = shape.indexes.filter { present in
      present.name.hasPrefix(IndexSchema.prefix(ofTable: schema.tableName))
        && !schema.indexes.contains { fits(present, $0) }
    }
    let missing = schema.indexes.filter { wanted in
      !shape.indexes.contains { fits($0, wanted) }
    }
    func work(_ summary: String, _ statement: String) -> MigrationWork {
      MigrationWork(
        MagicMigrationPlan.Step(
          type: schema.typeName, kind: .additive, summary: summary, sql: [statement]))
    }
    return surplus.map {
      work("the index \($0.name) is dropped", "DROP INDEX \($0.name.quoted)")
    } + missing.map { work("the index \($0.name) is made", sql.create($0)) }
  }
}

extension ObjectSchema {
  /// The name of a property, then those it had.
  func names(of property: PropertySchema) -> [String] {
    [property.name] + formerNames(of: property)
  }

  /// The names a property had, save those that another property of the type has now.
  func formerNames(of property: PropertySchema) -> [String] {
    property.formerNames.filter { former in
      !columns.contains { $0.name.isName(former) }
        && !collections.contains { $0.name.isName(former) }
    }
  }
}
