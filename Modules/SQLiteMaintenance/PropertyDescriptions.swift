package import MagicEngine
package import MagicSQLite
import MagicSchema
import Magical
import SQLiteTables

/// Compares the description of the types' properties with the tables.
package struct PropertyDescriptions {
  private let catalogue: Catalogue
  private let relationships: [Relationship]

  package init(on connection: SQLiteConnection) throws {
    catalogue = Catalogue(connection: connection)
    relationships = try catalogue.relationships()
  }

  /// The tables whose description is wrong, each with its first fault. A type is not described
  /// before its first write in the current format.
  package func faults() throws -> [MagicFinding] {
    let tables = try catalogue.typeTables()
    let unknown = try catalogue.describedTables().filter { described in
      !tables.contains { $0 == described }
    }
    return unknown.map {
      MagicFinding(.wrongDescription, "The described table does not exist.", table: $0)
    } + (try tables.compactMap(fault))
  }

  /// Deletes the description of a table. The next write of an object of its type describes it again.
  package func delete(of finding: MagicFinding) throws {
    guard let table = finding.table else { return }
    try catalogue.deleteProperties(of: table)
  }

  private func fault(of table: String) throws -> MagicFinding? {
    let properties = try catalogue.properties(of: table)
    guard !properties.isEmpty else { return nil }
    let columns = try catalogue.columnTypes(of: table)
    func finding(_ message: String, _ column: String?) -> MagicFinding {
      MagicFinding(.wrongDescription, message, table: table, column: column)
    }
    for property in properties {
      if let message = fault(of: property, of: table, in: columns) {
        return finding(message, property.column ?? property.property)
      }
    }
    let described = Set(properties.compactMap { $0.column?.folded })
    let missing = columns.first {
      $0.name != TableSQL.zIndex && !described.contains($0.name.folded)
    }
    return missing.map { finding("The column is not described.", $0.name) }
  }

  private func fault(
    of property: StoredProperty, of table: String, in columns: [(name: String, type: String)]
  ) -> String? {
    guard let name = property.column else { return nil }
    let type = columns.first { $0.name.isName(name) }?.type
    func hasRelationship(_ kind: String) -> Bool {
      relationships.contains {
        $0.owner.isName(table) && $0.column.isName(name) && $0.kind == kind
      }
    }
    switch property.form {
    case .collection(let kind):
      return hasRelationship(kind.rawValue) ? nil : "The described collection does not exist."
    case .one:
      guard type != nil else { return Self.missingColumn }
      return hasRelationship("one") ? nil : "The described relationship does not exist."
    case .value(let form):
      guard let type else { return Self.missingColumn }
      guard let expected = form.storageClass else { return nil }
      return type == TableSQL.declaredType(expected)
        ? nil : "The column has another type than the described form."
    case .inverse, nil: return nil
    }
  }

  private static let missingColumn = "The described column does not exist."
}
