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

  /// Deletes the description that a fault names. The next write of an object of the type describes
  /// its properties again.
  package func delete(_ fault: MagicFinding) throws {
    guard let table = fault.table else { return }
    try catalogue.deleteProperties(of: table)
    try catalogue.deleteUnknownProperties()
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
    let isComplete =
      try catalogue.propertiesFingerprint(of: table) == StoredProperty.fingerprint(of: properties)
    return isComplete ? nil : finding("The description differs from its fingerprint.", nil)
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
      let exists = hasRelationship(kind.rawValue) || kind == .list && hasRelationship("owned")
      return exists ? nil : "The described collection does not exist."
    case .one:
      guard type != nil else { return Self.missingColumn }
      return hasRelationship("one") ? nil : "The described relationship does not exist."
    case .value(let form):
      guard let type else { return Self.missingColumn }
      guard let expected = form.storageClass else { return nil }
      return type == TableSQL.declaredType(expected)
        ? nil : "The column has another type than the described form."
    case .inverse, .through, nil: return nil
    }
  }

  private static let missingColumn = "The described column does not exist."
}
