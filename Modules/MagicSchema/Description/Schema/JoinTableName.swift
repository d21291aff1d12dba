/// The names of join tables. The rows of a join table are the members of a collection.
package enum JoinTableName {
  /// The prefix of all names. The table of a type never has it.
  package static let prefix = "magic_"

  /// The name of a join table: the prefix, then the name of the owner's table and the name of the
  /// property, separated by a period.
  package static func name(owner: String, property: String) -> String {
    prefix + path(owner: owner, property: property)
  }

  /// The name of a join table without the prefix.
  package static func path(owner: String, property: String) -> String {
    "\(component(owner)).\(component(property))"
  }

  private static func component(_ name: String) -> String {
    name.unicodeScalars.contains { $0 == "." || $0 == "\"" } ? name.quoted : name
  }
}

extension CollectionColumn {
  /// Returns the name of the join table of the collection. An owned list has none; SQL that reads it
  /// uses the name for its members. For a collection through a join type, it is the name of the
  /// table of that type.
  package func joinTable(of owner: ObjectSchema) -> String {
    through.flatMap { try? $0.resolved() }?.schema.tableName
      ?? JoinTableName.name(owner: owner.tableName, property: name)
  }
}
