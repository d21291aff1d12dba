import Foundation

/// What a database says about its types: the rows of the library's tables, and how the tables are declared.
/// `SchemaReading` checks it.
package protocol SchemaSource {
  /// The tables and views.
  var tables: [String: TableKind] { get }
  /// The rows about the types.
  func types() throws -> [CatalogueType]
  /// The rows about relationships that are stored.
  func relationships() throws -> [CatalogueRelationship]
  /// The rows about properties; none if the database does not describe them.
  func properties() throws -> [CatalogueProperty]
  /// The tables and columns with the names of assets.
  func assetColumns() throws -> Set<[String]>
  func columns(of table: String) throws -> [DeclaredColumn]
  /// The indexes of a table.
  func indexes(of table: String) throws -> [InspectedIndex]
  /// The search index of a type; nil if it has none, or not one of the library.
  func searchIndex(
    of table: String, _ columns: [InspectedColumn]
  ) throws -> InspectedSearchIndex?
  /// Returns up to 16 values of a column that are not NULL.
  func samples(of column: String, in table: String) throws -> [InspectedValue]
}

package enum TableKind { case table, virtual, view }

/// A table of a type, as the library's tables have it.
package struct CatalogueType {
  package let table: String
  package let name: String
  /// The number of the last migration step.
  package let version: Int

  package init(table: String, name: String, version: Int) {
    (self.table, self.name, self.version) = (table, name, version)
  }
}

/// A row of `magic_relationships`.
package struct CatalogueRelationship {
  package let owner: String
  /// The name of the column or of the collection.
  package let name: String
  /// `one`, `list`, `set`, `dictionary` or `owned`.
  package let kind: String
  package let target: String
  package let deleteRule: String
  package let joinTable: String?

  package init(
    owner: String, name: String, kind: String, target: String, deleteRule: String,
    joinTable: String?
  ) {
    (self.owner, self.name, self.kind, self.target) = (owner, name, kind, target)
    (self.deleteRule, self.joinTable) = (deleteRule, joinTable)
  }
}

/// A row of `magic_columns`.
package struct CatalogueProperty {
  package let table: String
  let name: String
  let column: String?
  let swiftType: String
  let form: InspectedForm
  let details: [String: Any]

  /// - Parameter details: a JSON object.
  package init(
    table: String, name: String, column: String?, swiftType: String, form: String, details: String?
  ) {
    (self.table, self.name, self.column, self.swiftType) = (table, name, column, swiftType)
    self.form = InspectedForm(name: form)
    self.details = Self.object(details)
  }

  private static func object(_ json: String?) -> [String: Any] {
    guard let json, json.utf8.count < 1 << 20 else { return [:] }
    return (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] ?? [:]
  }
}

/// A column as the table's SQL declares it.
package struct DeclaredColumn {
  package let name: String
  package let type: String
  package let isOptional: Bool

  package init(name: String, type: String, isOptional: Bool) {
    (self.name, self.type, self.isOptional) = (name, type, isOptional)
  }
}
