/// The types of a file as Swift source: the structs that a program declares to open it.
public struct SwiftSource {
  private let database: InspectedDatabase
  private let foreignTables: [ForeignTable]

  /// Creates the source of all types, and of types for tables of other programs.
  public init(_ database: InspectedDatabase, foreignTables: [ForeignTable] = []) {
    (self.database, self.foreignTables) = (database, foreignTables)
  }

  /// Returns the source. What the file does not contain is a comment.
  public func text() -> String {
    var parts = [database.types.isEmpty ? Self.imports : Self.introduction + Self.imports]
    parts += database.types.map(source)
    let enumerations = enumerations()
    if !enumerations.isEmpty { parts.append(enumerations) }
    let missing = missingTypes()
    if !missing.isEmpty {
      parts.append("// Types that the file names and does not describe: \(missing)\n")
    }
    if database.isOfOriginalLibrary { parts.append(ForeignSource.originalLibrary) }
    let valueTypes = database.types.flatMap(\.columns).compactMap(\.swiftType)
    let names = database.types.map(\.name) + valueTypes
    parts += ForeignSource(foreignTables, besides: Self.knownTypes.union(names)).parts()
    return parts.joined(separator: "\n")
  }

  private static let introduction = """
    // The file does not contain which property is the primary: it is guessed. Nor does it contain
    // default values, which property is the version, or the weights of a search.

    """

  private static let imports = """
    import Foundation
    import MagicData

    """

  private func source(_ type: InspectedType) -> String {
    let primary = type.probablePrimary
    var lines = ["struct \(Self.name(type.name)): MagicObject {"]
    if type.table != type.name {
      lines.append("  static var tableName: String { \(Self.literal(type.table)) }")
    }
    if type.version > 0 {
      // Types without the step are refused.
      lines.append(
        "  static var migrations: Migrations { Migrations { MigrationStep(\(type.version)) { [] } } }"
      )
    }
    lines += Self.indexes(type)
    if let search = type.searchIndex?.declaration { lines.append("  " + search) }
    if lines.count > 1 { lines.append("") }
    for column in type.columns {
      let relationship = type.relationships.first { $0.source == .column(column.column) }
      lines.append(
        "  " + declaration(of: column, isPrimary: column == primary, type, relationship))
    }
    for relationship in type.relationships where relationship.form != .one {
      lines.append("  " + declaration(of: relationship))
    }
    lines += ["", "  init() {}", "}", ""]
    return lines.joined(separator: "\n")
  }

  private func declaration(
    of column: InspectedColumn, isPrimary: Bool, _ type: InspectedType,
    _ relationship: InspectedRelationship?
  ) -> String {
    var options: [String] = []
    if column.isRowID { options.append(".rowID") }
    let isIndexed = type.indexes.contains { $0.columns == [column.column] && !$0.isUnique }
    if isIndexed, column.form != .one { options.append(".indexed") }
    if !isPrimary, type.uniqueColumns.contains(column) { options.append(".unique") }
    if type.searchIndex?.contains(column) ?? false { options.append(".searchable") }
    if let collation = column.collation.flatMap(Self.collation) {
      options.append(".compared(\(collation))")
    }
    if Self.identifier(column.property) != column.column, !column.isRowID {
      options.append(".named(\(Self.literal(column.column)))")
    }
    let defaultRule = column.isOptional ? "nullify" : "deny"
    if let rule = relationship?.deleteRule, rule != defaultRule, Self.rules.contains(rule) {
      options.append(".onDelete(.\(rule))")
    }
    let wrapper =
      isPrimary ? "PrimaryMagicValue" : column.isOptional ? "OptionMagicValue" : "MagicValue"
    let mark = column.isOptional && !isPrimary ? "?" : ""
    let comment = column.isGuess ? "  // guessed" : Self.comment(column.swiftType)
    return "@\(wrapper)\(Self.arguments(options)) var \(Self.name(column.property)): "
      + swiftType(of: column) + mark + comment
  }

  /// Returns the Swift source of a collation; nil for one that this version does not know.
  private static func collation(_ name: String) -> String? {
    let prefix = "localized:"
    if name.hasPrefix(prefix) {
      return ".localized(\(literal(String(name.dropFirst(prefix.count)))))"
    }
    return name == "caseInsensitive" ? ".caseInsensitive" : nil
  }

  private static let rules: Set = ["nullify", "deny", "cascade"]

  private func declaration(of relationship: InspectedRelationship) -> String {
    let name = Self.name(relationship.property)
    let target = Self.name(database.type(ofTable: relationship.target)?.name ?? relationship.target)
    if case .inverse(_, let property, _) = relationship.source {
      let type = relationship.swiftType.map(Self.readable) ?? "AsyncReverseMagicSet<\(target)>"
      return "@ReverseMagicValue(\\\(target).$\(Self.name(property))) var \(name): \(type)"
        + Self.comment(relationship.swiftType)
    }
    if case .joinType = relationship.source {
      return "// \(name): a collection through a join type, "
        + (relationship.swiftType.map(Self.readable) ?? target)
    }
    var options: [String] = []
    if case .owned = relationship.source { options.append(".owned") }
    let stored = relationship.storedName ?? relationship.property
    if stored != Self.identifier(relationship.property) {
      options.append(".named(\(Self.literal(stored)))")
    }
    if let rule = relationship.deleteRule, rule != "nullify", Self.rules.contains(rule) {
      options.append(".onDelete(.\(rule))")
    }
    let (type, empty) =
      switch relationship.form {
      case .set: ("MagicalSet<\(target)>", " = []")
      case .dictionary: ("[\(Self.type(relationship.keyForm ?? .text)): \(target)]", " = [:]")
      default: ("[\(target)]", " = []")
      }
    let swiftType = relationship.swiftType.map(Self.readable)
    let isLazy = swiftType?.hasPrefix("AsyncMagical") ?? false
    return "@MagicValue\(Self.arguments(options)) var \(name): \(swiftType ?? type)"
      + (isLazy ? " = .init(value:\(empty.dropFirst(2)))" : empty)
      + Self.comment(relationship.swiftType)
  }

  private func swiftType(of column: InspectedColumn) -> String {
    if let type = column.swiftType, !type.isEmpty { return Self.readable(type) }
    if let target = column.target {
      return Self.name(database.type(ofTable: target)?.name ?? target)
    }
    return Self.type(column.form)
  }

  /// The type whose values usually have a form.
  private static func type(_ form: InspectedForm) -> String {
    switch form {
    case .integer, .one: "Int"
    case .real: "Double"
    case .bool: "Bool"
    case .date: "Date"
    case .uuid: "UUID"
    case .uuidBytes: "MagicUUID"
    case .url: "URL"
    case .decimal: "Decimal"
    case .duration: "Duration"
    case .vector: "MagicVector"
    case .data, .json: "Data"
    case .asset: "MagicAsset<Data>"
    default: "String"
    }
  }

  /// Whether a text of the file has only the characters of names of types. Others could add
  /// declarations to the source.
  private static func isType(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isXIDContinue || "_.<>[]:?, ".unicodeScalars.contains(scalar)
    }
  }

  /// The comment after a declaration whose type the source does not have.
  private static func comment(_ type: String?) -> String {
    type.map(isType) ?? true ? "" : "  // The file names a type that is not valid in Swift."
  }

  /// `[String]` for `Array<String>`, where the element has no type parameters, and `String` for a
  /// text that is no type.
  private static func readable(_ type: String) -> String {
    var type = isType(type) ? type : "String"
    for _ in 0..<4 {
      type = type.replacing(/Array<([A-Za-z0-9_.\[\]: ]+)>/) { "[\($0.output.1)]" }
      type = type.replacing(/Dictionary<([A-Za-z0-9_.\[\]]+), ([A-Za-z0-9_.\[\]: ]+)>/) {
        "[\($0.output.1): \($0.output.2)]"
      }
    }
    return type
  }

  private static func indexes(_ type: InspectedType) -> [String] {
    let composite = type.indexes.filter { index in
      index.columns.count > 1 && !index.isPartial
        && index.columns.allSatisfy { type.column(named: $0) != nil }
    }
    guard !composite.isEmpty else { return [] }
    let list = composite.map { index in
      let paths = index.columns.compactMap { name in
        type.columns.first { $0.column == name }.map { "\\.$\(Self.name($0.property))" }
      }
      return
        "MagicIndex(\(paths.joined(separator: ", "))\(index.isUnique ? ", isUnique: true" : ""))"
    }
    return ["  static var indexes: [MagicIndex<Self>] { [\(list.joined(separator: ", "))] }"]
  }

  /// The enumerations whose cases the file contains.
  private func enumerations() -> String {
    var found: [String: String] = [:]
    for column in database.types.flatMap(\.columns) where column.form == .enumeration {
      guard let type = column.swiftType, found[type] == nil, !Self.knownTypes.contains(type),
        type.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
      else { continue }
      let isText = column.cases.first?.text != nil
      var lines = ["enum \(Self.name(type)): \(isText ? "String" : "Int"), Magical, CaseIterable {"]
      for (index, value) in column.cases.enumerated() {
        let number = value.text(as: .integer).flatMap(Int64.init) ?? 0
        let raw = value.text.map(Self.literal) ?? String(number)
        let word = value.text ?? ""
        let isWord =
          word.first?.isLetter == true
          && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        lines.append("  case \(isWord ? Self.name(word) : "case\(index + 1)") = \(raw)")
      }
      found[type] = (lines + ["}", ""]).joined(separator: "\n")
    }
    return found.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
  }

  /// The types that the file names, and that are neither its own nor of the standard library,
  /// Foundation or MagicData.
  private func missingTypes() -> String {
    let columns = database.types.flatMap(\.columns)
    let names =
      columns.compactMap(\.swiftType)
      + database.types.flatMap(\.relationships).compactMap(\.swiftType)
    let words = names.filter(Self.isType).flatMap { name in
      name.unicodeScalars.split { !$0.properties.isXIDContinue }.map(String.init)
    }
    let enumerations = columns.filter { $0.form == .enumeration }.compactMap(\.swiftType)
    let types = database.types.map(\.name)
    return Set(words).subtracting(Self.knownTypes).subtracting(enumerations).subtracting(types)
      .filter { $0.first?.isLetter ?? false }.sorted().joined(separator: ", ")
  }

  static let knownTypes: Set = [
    "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
    "UInt32", "UInt64", "Double", "Float", "CGFloat", "Bool", "Date", "Data", "UUID", "URL",
    "Decimal", "Duration", "DateComponents", "Array", "Set", "Dictionary", "Optional", "Range",
    "ClosedRange", "MagicUUID", "MagicMoney", "MagicAsset", "MagicalSet", "AsyncMagical",
    "AsyncReverseMagicSet",
  ]

  static func arguments(_ options: [String]) -> String {
    options.isEmpty ? "" : "(\(options.joined(separator: ", ")))"
  }

  /// A text as a literal, also with quotes, backslashes and line breaks.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case let scalar
      where scalar.properties.generalCategory == .control
        || scalar.properties.generalCategory == .format:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static let keywords: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "private",
    "protocol", "public", "repeat", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// A name as an identifier, in backticks if it is a keyword.
  static func name(_ name: String) -> String {
    let identifier = identifier(name)
    return keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// A name as an identifier without backticks. Scalars that it may not have become underscores. A
  /// character may have a letter and then another scalar, such as a parenthesis.
  static func identifier(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars.prefix(200) {
      result.unicodeScalars.append(scalar.properties.isXIDContinue ? scalar : "_")
    }
    guard let first = result.unicodeScalars.first else { return "_" }
    return first == "_" || first.properties.isXIDStart ? result : "_" + result
  }
}
