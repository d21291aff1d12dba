import MagicSchema

/// Where the values of a relationship are.
enum RelationshipPlace {
  /// A column of the owner's table.
  case ownerColumn(String)
  /// A column of the members' table; the column with the order of an ordered relationship.
  case memberColumn(String, order: String?)
  /// A join table, and its columns. The rows of a symmetric relationship count in both directions.
  case joinTable(String, owner: String, member: String, order: String?, isSymmetric: Bool)
}

extension CoreDataStore {
  /// The column of an attribute, or of a to-one relationship; nil if the store does not have it.
  ///
  /// Its name is that of the property, in capitals, after a Z. If several entities with the same table
  /// declare such a property, then the names of all but the first one end with a number, in the order
  /// of the entities' numbers.
  func column(_ property: String, of owner: CoreDataModel.Entity) -> String? {
    let name = property.uppercased()
    let root = model.root(owner).name
    let owners = model.entities.filter { entity in
      model.root(entity).name == root && Self.declaresColumn(name, entity)
    }.sorted { number($0) ?? .max < number($1) ?? .max }
    guard let index = owners.firstIndex(where: { $0.name == owner.name }) else { return nil }
    let column = "Z\(name)\(index == 0 ? "" : "\(index)")"
    return hasColumn(column, in: table(owner)) ? column : nil
  }

  private static func declaresColumn(_ name: String, _ entity: CoreDataModel.Entity) -> Bool {
    entity.attributes.contains { !$0.isTransient && $0.name.uppercased() == name }
      || entity.relationships.contains {
        !$0.isTransient && !$0.isToMany && $0.name.uppercased() == name
      }
  }

  /// Returns where the values of a relationship are; nil if the store does not have them.
  func place(
    of relationship: CoreDataModel.Relationship, declaredBy owner: CoreDataModel.Entity
  ) -> RelationshipPlace? {
    guard relationship.isToMany else {
      return column(relationship.name, of: owner).map { .ownerColumn($0) }
    }
    guard let destination = model.entity(relationship.destination), let number = number(owner)
    else { return nil }
    let members = table(destination)
    let inverse = model.inverse(of: relationship)
    if let inverse, !inverse.relationship.isToMany {
      return column(inverse.relationship.name, of: inverse.owner).map { memberColumn($0, members) }
    }
    // A to-many relationship without an inverse has a column that no property has.
    let hidden = "Z\(number)\(relationship.name.uppercased())"
    if inverse == nil, hasColumn(hidden, in: members) { return memberColumn(hidden, members) }
    return joinTable(relationship, number, inverse)
  }

  private func memberColumn(_ column: String, _ table: String) -> RelationshipPlace {
    let order = "Z_FOK_\(column.dropFirst())"
    return .memberColumn(column, order: hasColumn(order, in: table) ? order : nil)
  }

  /// A join table has the name of the relationship or of its inverse, after the number of the entity
  /// that declares it. The column of the members has the name of the relationship.
  private func joinTable(
    _ relationship: CoreDataModel.Relationship, _ number: Int64,
    _ inverse: (owner: CoreDataModel.Entity, relationship: CoreDataModel.Relationship)?
  ) -> RelationshipPlace? {
    let name = relationship.name.uppercased()
    var tables = ["Z_\(number)\(name)"]
    if let inverse, let number = self.number(inverse.owner) {
      tables.append("Z_\(number)\(inverse.relationship.name.uppercased())")
    }
    guard let table = tables.first(where: hasTable) else { return nil }
    let all = columns(table)
    let ends = all.filter { !$0.hasPrefix("Z_FOK_") }
    guard ends.count == 2 else { return nil }
    let numbers = model.entity(relationship.destination).map { destination in
      model.lineage(destination).reversed().compactMap(self.number)
    }
    let exact = (numbers ?? []).map { "Z_\($0)\(name)" }
    let named = ends.filter { Self.isColumn($0, named: name) }
    guard
      let member = exact.first(where: ends.contains) ?? (named.count == 1 ? named.first : nil),
      let owner = ends.first(where: { $0 != member })
    else { return nil }
    let order = "Z_FOK_\(member.dropFirst(2))"
    return .joinTable(
      table, owner: owner, member: member, order: all.contains(order) ? order : nil,
      isSymmetric: owner == "REFLEXIVE")
  }

  /// Whether a column is `Z_`, a number, a name, and a number or nothing.
  private static func isColumn(_ column: String, named name: String) -> Bool {
    guard column.hasPrefix("Z_") else { return false }
    let rest = column.dropFirst(2).drop(while: \.isASCIIDigit)
    guard rest.hasPrefix(name) else { return false }
    return rest.dropFirst(name.count).allSatisfy(\.isASCIIDigit)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
