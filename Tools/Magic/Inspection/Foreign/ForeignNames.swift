/// The names that types and properties for tables of other programs have. Names of SQL are equal without
/// regard to case, and contain characters that names of Swift cannot contain.
struct ForeignNames {
  private var types: [String: String] = [:]
  private var properties: [String: [String: String]] = [:]

  /// - Parameters:
  ///   - tables: the tables that become types, with the tables that become their collections.
  ///   - used: the names of the other types that the source uses.
  init(_ tables: [(table: ForeignTable, collections: [ForeignTable])], besides used: Set<String>) {
    let used = used.union(Self.reserved)
    types = Self.names(
      tables.map { ($0.table.name, Self.typeName($0.table.name)) }, besides: used)
    let allTypes = used.union(types.values)
    for (table, collections) in tables {
      properties[table.name] = Self.names(
        table.columns.map { ($0.name, Self.propertyName($0.name, allTypes)) }
          + collections.map { ($0.name, Self.propertyName($0.name, allTypes)) },
        besides: [])
    }
  }

  /// The name of the type of a table, without backticks.
  func type(of table: ForeignTable) -> String { types[table.name] ?? Self.typeName(table.name) }

  /// The name of the property of a column, or of the table of a collection, without backticks.
  func property(_ name: String, of table: ForeignTable) -> String {
    properties[table.name]?[name] ?? SwiftSource.identifier(name)
  }

  /// Whether a name of SQL is a name of Swift. SQL ignores the case of ASCII letters.
  static func isSame(_ sql: String, _ swift: String) -> Bool {
    func folded(_ name: String) -> [UInt8] {
      name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    return folded(sql) == folded(swift)
  }

  /// Gives each name of SQL a name of Swift. The first one keeps it, and the others have numbers; a name
  /// that needs no change is before those that do.
  private static func names(
    _ names: [(sql: String, swift: String)], besides used: Set<String>
  ) -> [String: String] {
    var used = Set(used.map { $0.lowercased() })
    let all = used.union(names.map { $0.swift.lowercased() })
    var result: [String: String] = [:]
    let same = names.filter { isSame($0.sql, $0.swift) }
    for name in same + names.filter({ !isSame($0.sql, $0.swift) }) {
      var (swift, number) = (name.swift, 2)
      while used.contains(swift.lowercased())
        || swift != name.swift && all.contains(swift.lowercased())
      {
        swift = "\(name.swift)\(number)"
        number += 1
      }
      used.insert(swift.lowercased())
      result[name.sql] = swift
    }
    return result
  }

  /// The name of a table with a capital letter at its beginning.
  private static func typeName(_ table: String) -> String {
    let name = SwiftSource.identifier(table)
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The name of a column. A property with the name of a type begins with a small letter, because Swift
  /// would find the property where its type is written.
  private static func propertyName(_ column: String, _ types: Set<String>) -> String {
    let name = SwiftSource.identifier(column)
    return types.contains(name) ? name.prefix(1).lowercased() + name.dropFirst() : name
  }

  /// Other names of Swift and of the library that a type of this name would hide, or that no type can have.
  private static let reserved: Set = [
    "Any", "MagicIndex", "MagicObject", "MagicValue", "MagicalSet", "MigrationStep", "Migrations",
    "OptionMagicValue", "PrimaryMagicValue", "Protocol", "Self", "Type",
  ]
}
