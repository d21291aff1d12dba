import Foundation
import MagicSQLite

/// Reads the library's tables, and checks them against the tables of the file.
struct SchemaReading {
  let reader: InspectionReader
  let tables: [String: InspectionReader.FileTable]
  let format: Int
  private(set) var types: [InspectedType] = []
  private(set) var problems: [String] = []
  private(set) var joinTables: Set<String> = []

  /// A row of `magic_columns`.
  struct Property {
    let name: String
    let column: String?
    let swiftType: String
    let form: InspectedForm
    let details: [String: Any]
  }

  /// A row of `magic_relationships`.
  struct Relationship {
    let owner: String
    let name: String
    let kind: String
    let target: String
    let deleteRule: String
    let joinTable: String?
  }

  private var properties: [String: [Property]] = [:]
  private var relationships: [String: [Relationship]] = [:]
  private var assetColumns: Set<[String]> = []
  private var declared: [String: [DeclaredColumn]] = [:]

  init(reader: InspectionReader, tables: [String: InspectionReader.FileTable], format: Int) {
    self.reader = reader
    self.tables = tables
    self.format = format
  }

  mutating func read() throws {
    try readLibraryTables()
    let version = format >= 2 ? "version" : "0"
    let rows = try reader.map(
      "SELECT table_name, type_name, \(version) FROM magic_catalogue",
      limit: InspectionReader.schemaLimit
    ) { ($0.text(0) ?? "", $0.text(1) ?? "", Int(truncatingIfNeeded: $0.column(2).integer)) }
    var found: [(table: String, name: String, version: Int)] = []
    for (table, name, version) in rows where tables[table] != nil {
      let columns = try reader.declaredColumns(of: table)
      guard tables[table] == .table,
        columns.contains(where: { $0.name == InspectedType.rowIDColumn })
      else {
        problems.append("The table \(table.shown) is not one of a type: it has no row ID.")
        continue
      }
      declared[table] = columns
      found.append((table, name, version))
    }
    for (table, name, version) in found {
      types.append(try type(table: table, name: name, version: version))
    }
  }

  private mutating func readLibraryTables() throws {
    if tables["magic_relationships"] == .table {
      let rows = try reader.map(
        """
        SELECT owner_table, property, kind, target_table, on_delete, link_table \
        FROM magic_relationships
        """, limit: InspectionReader.schemaLimit
      ) {
        Relationship(
          owner: $0.text(0) ?? "", name: $0.text(1) ?? "", kind: $0.text(2) ?? "",
          target: $0.text(3) ?? "", deleteRule: $0.text(4) ?? "", joinTable: $0.text(5))
      }
      relationships = Dictionary(grouping: rows, by: \.owner)
    }
    if tables["magic_asset_columns"] == .table {
      let rows = try reader.map(
        "SELECT table_name, column_name FROM magic_asset_columns",
        limit: InspectionReader.schemaLimit
      ) { [$0.text(0) ?? "", $0.text(1) ?? ""] }
      assetColumns = Set(rows)
    }
    guard format >= 3, tables["magic_columns"] == .table else { return }
    let rows = try reader.map(
      "SELECT table_name, property, column_name, swift_type, form, details FROM magic_columns",
      limit: InspectionReader.schemaLimit
    ) { statement in
      (
        statement.text(0) ?? "",
        Property(
          name: statement.text(1) ?? "", column: statement.text(2),
          swiftType: statement.text(3) ?? "", form: InspectedForm(name: statement.text(4) ?? ""),
          details: Self.object(statement.text(5)))
      )
    }
    properties = Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }

  private static func object(_ json: String?) -> [String: Any] {
    guard let json, json.utf8.count < 1 << 20 else { return [:] }
    return (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] ?? [:]
  }

  private mutating func type(table: String, name: String, version: Int) throws -> InspectedType {
    let indexes = try reader.indexes(of: table)
    let isDescribed = properties[table] != nil
    let columns = try columns(of: table)
    let relationships = allRelationships(of: table, columns: columns)
    return InspectedType(
      table: table, name: name, columns: columns, relationships: relationships, indexes: indexes,
      searchIndex: try searchIndex(of: table, columns), isDescribed: isDescribed, version: version)
  }
}

// MARK: Search indexes

extension SchemaReading {
  /// The search index of a type; nil, and a problem, if it is not one of the library.
  private mutating func searchIndex(
    of table: String, _ columns: [InspectedColumn]
  ) throws -> InspectedSearchIndex? {
    let (name, log) = (InspectedSearchIndex.table(of: table), InspectedSearchIndex.log(of: table))
    guard tables[name] != nil else { return nil }
    if tables[name] == .virtual, tables[log] == .table {
      let sql = try reader.map(
        "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [.init(.text(name))]
      ) { $0.text(0) ?? "" }
      let logColumns = try reader.declaredColumns(of: log).map(\.name)
      if let sql = sql.first,
        let index = InspectedSearchIndex(
          table: table, columns: columns, sql: sql, logColumns: logColumns)
      {
        return index
      }
    }
    problems.append("The search index of \(table.shown) is not one of the library.")
    return nil
  }
}

// MARK: Columns

extension SchemaReading {
  private func columns(of table: String) throws -> [InspectedColumn] {
    let owned = ownedColumns(of: table)
    let described = properties[table] ?? []
    let toOnes = relationships[table] ?? []
    var found: [InspectedColumn] = []
    for column in declared[table] ?? [] where !owned.contains(column.name) {
      let toOne = toOnes.first { $0.kind == "one" && $0.name == column.name }
      if let property = described.first(where: { $0.column == column.name && !$0.form.isCollection }
      ) {
        found.append(
          InspectedColumn(
            property: property.name, column: column.name, swiftType: property.swiftType,
            form: property.form, isGuess: false, declaredType: column.type,
            isOptional: column.isOptional, cases: Self.cases(property.details),
            target: toOne?.target, collation: property.details["collation"] as? String))
      } else if column.name != InspectedType.rowIDColumn, described.isEmpty {
        found.append(try undescribed(column, of: table, target: toOne?.target))
      }
    }
    return found
  }

  /// A column that `magic_columns` does not describe. The file still says which columns are
  /// to-ones and assets.
  private func undescribed(
    _ column: DeclaredColumn, of table: String, target: String?
  ) throws -> InspectedColumn {
    let isAsset = assetColumns.contains([table, column.name])
    let form: InspectedForm =
      target != nil
      ? .one : isAsset ? .asset : try FormGuess(reader: reader, table: table, column: column).form()
    return InspectedColumn(
      property: column.name, column: column.name, swiftType: nil, form: form,
      isGuess: target == nil && !isAsset, declaredType: column.type, isOptional: column.isOptional,
      cases: [], target: target, collation: nil)
  }

  private static func cases(_ details: [String: Any]) -> [InspectedValue] {
    (details["cases"] as? [Any] ?? []).compactMap { value in
      if let text = value as? String { return InspectedValue(.text(text)) }
      guard let number = value as? NSNumber else { return nil }
      let integer = number.int64Value
      return InspectedValue(
        Double(integer) == number.doubleValue ? .integer(integer) : .real(number.doubleValue))
    }
  }

  /// The columns of a members' table that belong to owned lists.
  private func ownedColumns(of table: String) -> Set<String> {
    var names: Set<String> = []
    for relationship in relationships.values.joined()
    where relationship.kind == "owned" && relationship.target == table {
      let (owner, position) = Self.ownedColumns(relationship.owner, relationship.name)
      names.formUnion([owner, position])
    }
    return names
  }

  static func ownedColumns(_ table: String, _ property: String) -> (String, String) {
    let path = [table, property].map { part in
      part.contains(".") || part.contains("\"") ? part.quoted : part
    }
    let name = path.joined(separator: ".")
    return (name + " owner", name + " position")
  }
}

// MARK: Relationships

extension SchemaReading {
  private mutating func allRelationships(
    of table: String, columns: [InspectedColumn]
  ) -> [InspectedRelationship] {
    var found: [InspectedRelationship] = []
    for column in columns where column.form == .one {
      guard let target = column.target, isTable(target) else {
        problems.append(
          "The to-one \(column.property.shown) of \(table.shown) refers to a table that does not exist."
        )
        continue
      }
      let row = relationships[table]?.first { $0.name == column.column }
      found.append(
        InspectedRelationship(
          property: column.property, storedName: column.column, owner: table, target: target,
          form: .one,
          swiftType: column.swiftType, deleteRule: row?.deleteRule, keyForm: nil,
          source: .column(column.column)))
    }
    let described = properties[table] ?? []
    for row in relationships[table] ?? [] where row.kind != "one" {
      let property = described.first { $0.column == row.name }
      guard let source = storedSource(row) else { continue }
      found.append(
        InspectedRelationship(
          property: property?.name ?? row.name, storedName: row.name, owner: table,
          target: row.target,
          form: row.kind == "owned" ? .list : InspectedForm(name: row.kind),
          swiftType: property?.swiftType, deleteRule: row.deleteRule,
          keyForm: row.kind == "dictionary" ? keyForm(property, source) : nil, source: source))
    }
    for property in described where property.form == .through || property.form == .inverse {
      if let relationship = derived(property, of: table) { found.append(relationship) }
    }
    return found
  }

  /// The form of the keys of a dictionary, which is guessed if the file does not describe it.
  private func keyForm(
    _ property: Property?, _ source: InspectedRelationship.Source
  ) -> InspectedForm {
    if let name = property?.details["keys"] as? String { return InspectedForm(name: name) }
    guard case .joinTable(let table) = source,
      let column = try? reader.declaredColumns(of: table).first(where: { $0.name == "key" }),
      let form = try? FormGuess(reader: reader, table: table, column: column).form()
    else { return .text }
    return form
  }

  private func isTable(_ name: String) -> Bool { declared[name] != nil }

  /// The source of a collection that is stored; nil, and a problem, if the file contradicts itself.
  private mutating func storedSource(_ row: Relationship) -> InspectedRelationship.Source? {
    let place = "The relationship \(row.name.shown) of \(row.owner.shown)"
    guard isTable(row.target) else {
      problems.append("\(place) refers to a table that does not exist.")
      return nil
    }
    if row.kind == "owned" {
      let (owner, position) = Self.ownedColumns(row.owner, row.name)
      let names = Set(declared[row.target]?.map(\.name) ?? [])
      guard names.contains(owner), names.contains(position) else {
        problems.append("\(place) has no columns in the table of its members.")
        return nil
      }
      return .owned(owner: owner, position: position)
    }
    let order = ["list": "position", "set": "target", "dictionary": "key"][row.kind]
    guard let order, let name = row.joinTable, tables[name] == .table,
      let columns = try? reader.declaredColumns(of: name),
      Set(["owner", "target", order]).isSubset(of: columns.map(\.name))
    else {
      problems.append("\(place) has no join table.")
      return nil
    }
    joinTables.insert(name)
    return .joinTable(name)
  }

  /// A relationship that is not stored: through a join type, or inverse.
  private func derived(_ property: Property, of table: String) -> InspectedRelationship? {
    guard let other = property.details["table"] as? String, isTable(other) else { return nil }
    if property.form == .through {
      guard let (source, target) = joinType(property) else { return nil }
      return InspectedRelationship(
        property: property.name, storedName: nil, owner: table, target: target, form: .through,
        swiftType: property.swiftType, deleteRule: nil, keyForm: nil, source: source)
    }
    guard let name = property.details["property"] as? String,
      let source = inverseSource(of: name, in: other)
    else { return nil }
    return InspectedRelationship(
      property: property.name, storedName: nil, owner: table, target: other, form: .inverse,
      swiftType: property.swiftType, deleteRule: nil, keyForm: nil,
      source: .inverse(table: other, property: name, of: source))
  }

  private func joinType(_ property: Property) -> (InspectedRelationship.Source, target: String)? {
    guard let table = property.details["table"] as? String, isTable(table) else { return nil }
    let columns = Set(declared[table]?.map(\.name) ?? [])
    func column(_ key: String) -> String? {
      guard let name = property.details[key] as? String else { return nil }
      let found = properties[table]?.first { $0.name == name }?.column ?? name
      return columns.contains(found) ? found : nil
    }
    guard let owner = column("property"), let member = column("target"),
      let target = relationships[table]?.first(where: { $0.name == member })?.target,
      isTable(target)
    else { return nil }
    let source = InspectedRelationship.Source.joinType(
      table: table, owner: owner, target: member,
      order: column("order") ?? InspectedType.rowIDColumn,
      isSet: property.details["collection"] as? String == "set")
    return (source, target)
  }

  /// The source of the relationship that an inverse relationship belongs to.
  private func inverseSource(of name: String, in table: String) -> InspectedRelationship.Source? {
    let property = properties[table]?.first { $0.name == name }
    if let property, property.form == .through { return joinType(property)?.0 }
    let column = property?.column ?? name
    guard let row = relationships[table]?.first(where: { $0.name == column }) else { return nil }
    switch row.kind {
    case "one": return .column(column)
    case "owned":
      let (owner, position) = Self.ownedColumns(table, column)
      return .owned(owner: owner, position: position)
    default: return row.joinTable.flatMap { tables[$0] == .table ? .joinTable($0) : nil }
    }
  }
}
