/// The names of join tables, which hold the members of collections.
package enum JoinTableName {
  /// What all of them begin with.
  package static let prefix = "magic_"

  /// The names of the owner's table and of the property, joined by a point; names of types' tables
  /// never begin like this.
  package static func name(owner: String, property: String) -> String {
    "\(prefix)\(word(owner)).\(word(property))"
  }

  private static func word(_ name: String) -> String {
    name.unicodeScalars.contains { $0 == "." || $0 == "\"" } ? name.quoted : name
  }
}

extension CollectionColumn {
  /// The name of the collection's join table.
  package func joinTable(of owner: ObjectSchema) -> String {
    JoinTableName.name(owner: owner.tableName, property: name)
  }
}
