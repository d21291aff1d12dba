import Foundation

/// Reads the types of a database, and checks what the library's tables say against the tables themselves.
package struct SchemaReading {
  private let source: any SchemaSource
  package private(set) var types: [InspectedType] = []
  package private(set) var problems: [String] = []
  package private(set) var joinTables: Set<String> = []

  private var properties: [String: [CatalogueProperty]] = [:]
  private var relationships: [String: [CatalogueRelationship]] = [:]
  private var assetColumns: Set<[String]> = []
  private var declared: [String: [DeclaredColumn]] = [:]

  private var tables: [String: TableKind] { source.tables }

  /// Reads the types, in the order of their names.
  package init(_ source: some SchemaSource) throws {
    self.source = source
    relationships = Dictionary(grouping: try source.relationships(), by: \.owner)
    assetColumns = try source.assetColumns()
    properties = Dictionary(grouping: try source.properties(), by: \.table)
    var found: [CatalogueType] = []
    for type in try source.types() where tables[type.table] != nil {
      let columns = try source.columns(of: type.table)
      guard tables[type.table] == .table,
        columns.contains(where: { $0.name == InspectedType.rowIDColumn })
      else {
        problems.append("The table \(type.table.shown) is not one of a type: it has no row ID.")
        continue
      }
      declared[type.table] = columns
      found.append(type)
    }
    for type in found { types.append(try inspected(type)) }
    types.sort { ($0.name, $0.table) < ($1.name, $1.table) }
  }

  private mutating func inspected(_ type: CatalogueType) throws -> InspectedType {
    let columns = try columns(of: type.table)
    let relationships = allRelationships(of: type.table, columns: columns)
    return InspectedType(
      table: type.table, name: type.name, columns: columns, relationships: relationships,
      indexes: try source.indexes(of: type.table),
      searchIndex: try searchIndex(of: type.table, columns),
      isDescribed: properties[type.table] != nil, version: type.version)
  }

  /// The search index of a type; nil, and a problem, if it is not one of the library.
  private mutating func searchIndex(
    of table: String, _ columns: [InspectedColumn]
  ) throws -> InspectedSearchIndex? {
    guard tables[InspectedSearchIndex.table(of: table)] != nil else { return nil }
    if let index = try source.searchIndex(of: table, columns) { return index }
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
      ? .one : isAsset ? .asset : try FormGuess(column, of: table, source).form()
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
    _ property: CatalogueProperty?, _ place: InspectedRelationship.Source
  ) -> InspectedForm {
    if let name = property?.details["keys"] as? String { return InspectedForm(name: name) }
    guard case .joinTable(let table) = place,
      let column = try? source.columns(of: table).first(where: { $0.name == "key" }),
      let form = try? FormGuess(column, of: table, source).form()
    else { return .text }
    return form
  }

  private func isTable(_ name: String) -> Bool { declared[name] != nil }

  /// The source of a collection that is stored; nil, and a problem, if the file contradicts itself.
  private mutating func storedSource(_ row: CatalogueRelationship) -> InspectedRelationship.Source?
  {
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
      let columns = try? source.columns(of: name),
      Set(["owner", "target", order]).isSubset(of: columns.map(\.name))
    else {
      problems.append("\(place) has no join table.")
      return nil
    }
    joinTables.insert(name)
    return .joinTable(name)
  }

  /// A relationship that is not stored: through a join type, or inverse.
  private func derived(_ property: CatalogueProperty, of table: String) -> InspectedRelationship? {
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

  private func joinType(_ property: CatalogueProperty) -> (
    InspectedRelationship.Source, target: String
  )? {
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
