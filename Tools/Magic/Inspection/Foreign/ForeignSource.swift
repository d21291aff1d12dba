/// Tables of other programs as Swift source: types whose migrations adopt the tables.
struct ForeignSource {
  private let tables: [ForeignTable]
  private var joinTables: [String: JoinTable] = [:]
  private var names = ForeignNames([], besides: [])

  /// - Parameter types: the names of the other types that the source uses.
  init(_ tables: [ForeignTable], besides types: Set<String>) {
    self.tables = tables
    for table in tables { joinTables[table.name] = joinTable(table) }
    names = ForeignNames(
      tables.filter { joinTables[$0.name] == nil }.map { ($0, collections(of: $0).map(\.table)) },
      besides: types)
  }

  /// Returns the source of all types, and the tables that become collections of them.
  func parts() -> [String] {
    let types = tables.filter { joinTables[$0.name] == nil }
    guard !types.isEmpty else { return [] }
    return [Self.introduction] + types.map(source)
  }

  /// A comment for a file that the library's original version has written. Its tables are not adopted.
  static let originalLibrary = """
    // The original MagicData has written the file. With its types,
    // MagicData.copy(from: .originalMagicData(path, as: types), to: .file(newPath)) imports it.

    """

  private static let introduction = """
    // Types that adopt the tables of another program. Their properties are guessed from the values.
    // `migrationPlan(for:)` shows what the adoption does; try it on a copy of the file.

    """

  private struct JoinTable {
    let table: ForeignTable
    let owner: ForeignTable
    let target: ForeignTable
  }

  /// Returns the tables that a join table refers to; nil for another table.
  private func joinTable(_ table: ForeignTable) -> JoinTable? {
    guard let (first, second) = table.joinColumns,
      let owner = first.reference.flatMap({ self.table($0.table) }),
      let target = second.reference.flatMap({ self.table($0.table) }),
      owner.joinColumns == nil, target.joinColumns == nil
    else { return nil }
    return JoinTable(table: table, owner: owner, target: target)
  }

  private func table(_ name: String) -> ForeignTable? {
    tables.first { $0.name.lowercased() == name.lowercased() }
  }

  private func source(_ table: ForeignTable) -> String {
    var lines: [String] = []
    let collections = collections(of: table)
    let users = (table.users + collections.flatMap(\.table.users)).map { InspectedText.line($0) }
    if !users.isEmpty {
      var known: Set<String> = []
      let users = users.filter { known.insert($0).inserted }.joined(separator: ", ")
      lines.append("// Drop these before the adoption, if they use the table: \(users)")
    }
    lines.append("struct \(typeName(table)): MagicObject {")
    let changes = self.changes(table)
    if changes.count == 1 {
      lines.append(
        "  static var migrations: Migrations { Migrations { MigrationStep { [\(changes[0])] } } }")
    } else {
      lines += ["  static var migrations: Migrations {", "    Migrations {"]
      lines += ["      MigrationStep {", "        ["]
      lines += changes.map { "          \($0)," }
      lines += ["        ]", "      }", "    }", "  }"]
    }
    lines += indexes(table)
    lines.append("")
    lines += table.columns.map { "  " + declaration($0, table) }
    lines += collections.map { join in
      "  @MagicValue var \(propertyName(join.table.name, table)): "
        + "MagicalSet<\(typeName(join.target))> = []"
    }
    lines += ["", "  init() {}", "}", ""]
    return lines.joined(separator: "\n")
  }

  /// The changes of the step that adopts a table.
  private func changes(_ table: ForeignTable) -> [String] {
    let isNamedSo = ForeignNames.isSame(table.name, names.type(of: table))
    var arguments = isNamedSo ? [] : [SwiftSource.literal(table.name)]
    if table.columns.contains(where: { $0.form == .date && reference($0) == nil }) {
      arguments.append("dates: .iso8601")
    }
    return [".adoptTable(\(arguments.joined(separator: ", ")))"]
      + collections(of: table).map { join in
        let property = names.property(join.table.name, of: table)
        return ".adoptJoinTable(\(SwiftSource.literal(join.table.name)), as: "
          + "\(SwiftSource.literal(property)))"
      }
  }

  /// The collections of a type, which have the names of their tables.
  private func collections(of table: ForeignTable) -> [JoinTable] {
    tables.compactMap { joinTables[$0.name] }.filter { $0.owner.name == table.name }
  }

  /// The table that a column refers to, if it becomes a type.
  private func reference(_ column: ForeignTable.Column) -> ForeignTable? {
    column.reference.flatMap { table($0.table) }.flatMap { joinTables[$0.name] == nil ? $0 : nil }
  }

  private func declaration(_ column: ForeignTable.Column, _ table: ForeignTable) -> String {
    var options: [String] = []
    let isKey = table.key == [column.name]
    let isPrimary = isKey && reference(column) == nil
    func hasIndex(unique: Bool) -> Bool {
      table.indexes.contains {
        $0.columns == [column.name] && $0.isUnique == unique && !$0.isPartial
      }
    }
    let isUnique = isKey || hasIndex(unique: true)
    if isUnique, !isPrimary { options.append(".unique") }
    if hasIndex(unique: false), !isUnique, reference(column) == nil {
      options.append(".indexed")
    }
    if !ForeignNames.isSame(column.name, names.property(column.name, of: table)) {
      options.append(".wasNamed(\(SwiftSource.literal(column.name)))")
    }
    var type = Self.type(column.form)
    if let target = reference(column) {
      type = typeName(target)
      let rule =
        switch column.reference?.deleteAction {
        case "CASCADE": "cascade"
        case "SET NULL" where column.isOptional: "nullify"
        default: "deny"
        }
      if rule != (column.isOptional ? "nullify" : "deny") { options.append(".onDelete(.\(rule))") }
    }
    let isOptional = column.isOptional && !isPrimary
    let wrapper =
      isPrimary ? "PrimaryMagicValue" : isOptional ? "OptionMagicValue" : "MagicValue"
    let comment =
      column.form == .other("") && reference(column) == nil
      ? "  // The values are of several types: \(column.classes.sorted().joined(separator: ", "))."
      : ""
    return "@\(wrapper)\(SwiftSource.arguments(options)) var "
      + "\(propertyName(column.name, table)): \(type)"
      + (isOptional ? "?" : "") + comment
  }

  private func indexes(_ table: ForeignTable) -> [String] {
    var lists = table.indexes.filter { $0.columns.count > 1 && !$0.isPartial }
      .map { (columns: $0.columns, isUnique: $0.isUnique) }
    if table.key.count > 1 { lists.append((table.key, true)) }
    let sources = lists.filter { !$0.columns.contains("") }.map { index in
      let paths = index.columns.map { "\\.$\(propertyName($0, table))" }
      return
        "MagicIndex(\(paths.joined(separator: ", "))\(index.isUnique ? ", isUnique: true" : ""))"
    }
    guard !sources.isEmpty else { return [] }
    return ["  static var indexes: [MagicIndex<Self>] { [\(sources.joined(separator: ", "))] }"]
  }

  private func typeName(_ table: ForeignTable) -> String {
    SwiftSource.name(names.type(of: table))
  }

  private func propertyName(_ name: String, _ table: ForeignTable) -> String {
    SwiftSource.name(names.property(name, of: table))
  }

  private static func type(_ form: InspectedForm) -> String {
    switch form {
    case .integer: "Int"
    case .real: "Double"
    case .bool: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    default: "String"
    }
  }
}
