import MagicSQLite
import MagicSchema
import SQLiteTables

/// Counts the rows that determine whether a store can be imported completely.
struct StoreCounts {
  let store: CoreDataStore
  private(set) var losses: [ImportNote] = []
  private(set) var refusals: [ImportNote] = []

  init(store: CoreDataStore) { self.store = store }

  func rows(of type: ImportedType) throws -> Int { try count(type.entity, "1") }

  /// The number of objects of an entity that meet a condition.
  private func count(_ entity: CoreDataModel.Entity, _ condition: String) throws -> Int {
    guard let number = store.number(entity) else { return 0 }
    return Int(
      try store.connection.integer(
        "SELECT count(*) FROM \(store.table(entity).quoted) AS s "
          + "WHERE s.\"Z_ENT\" = \(number) AND (\(condition))") ?? 0)
  }

  /// Makes the required properties optional for which a row has no value.
  mutating func weaken(_ type: inout ImportedType) throws {
    for index in type.properties.indices {
      let property = type.properties[index]
      guard !property.isOptional, let empty = try emptyRows(property, type), empty > 0 else {
        continue
      }
      type.properties[index].isOptional = true
      if type.properties[index].isPrimary {
        type.properties[index].isPrimary = false
        type.properties[index].isUnique = true
      }
      if case .toOne(let link, .deny) = property.content {
        type.properties[index].content = .toOne(link, .nullify)
      }
      losses.append(
        ImportNote(
          type.entity.name, Self.source(of: property),
          "The property becomes optional, because rows have no value", rows: empty))
    }
  }

  /// The number of rows without a value; nil for a property for which this does not matter.
  private func emptyRows(_ property: ImportedProperty, _ type: ImportedType) throws -> Int? {
    switch property.content {
    case .attribute(let owner, let attribute, let form):
      if attribute.defaultValue.flatMap(form.value(of:)) != nil { return nil }
      guard let column = store.column(attribute.name, of: owner) else { return nil }
      return try count(type.entity, "s.\(column.quoted) IS NULL")
    case .toOne(let link, _):
      guard let target = try? StoreQueries(store: store).toOne(link) else { return nil }
      return try count(type.entity, "(\(target)) IS NULL")
    case .newKey, .toMany, .inverse: return nil
    }
  }

  private static func source(of property: ImportedProperty) -> String {
    switch property.content {
    case .attribute(_, let attribute, _): attribute.name
    default: property.link?.relationship.name ?? property.name
    }
  }

  // MARK: Checks

  /// Checks that the store has what a type needs.
  ///
  /// - Parameter isWeakened: whether no required property of the type lacks values; see ``weaken(_:)``.
  mutating func check(_ type: ImportedType, isWeakened: Bool) throws {
    let entity = type.entity
    let invalid = try count(entity, "s.\"Z_PK\" < 1")
    if invalid > 0 {
      refusals.append(ImportNote(entity.name, "Rows have numbers below 1", rows: invalid))
    }
    var seen: Set<String> = []
    for property in type.properties where !property.isInverse {
      let name = Self.source(of: property)
      switch property.content {
      case .attribute(let owner, let attribute, _):
        guard store.column(attribute.name, of: owner) != nil else {
          refusals.append(
            ImportNote(entity.name, name, "The store has no column for the attribute"))
          continue
        }
      case .toOne(let link, _), .toMany(let link, _, _, _), .inverse(let link, _):
        guard store.place(of: link.relationship, declaredBy: link.owner) != nil else {
          refusals.append(
            ImportNote(entity.name, name, "The store has no column or table for the relationship"))
          continue
        }
        if seen.insert(link.relationship.name).inserted { try checkTargets(link, type) }
        noteOrder(of: property, type)
      case .newKey: break
      }
      guard !isWeakened, !property.isOptional, let empty = try emptyRows(property, type), empty > 0
      else { continue }
      refusals.append(
        ImportNote(
          entity.name, name, "The property is required, and rows have no value", rows: empty))
    }
  }

  /// Notes a list whose members have no order in the store: the row of a pair has one position, and
  /// belongs to both lists.
  private mutating func noteOrder(of property: ImportedProperty, _ type: ImportedType) {
    guard case .toMany(let link, .list, _, _) = property.content, link.relationship.isOrdered,
      case .joinTable(_, _, _, _, true)? = store.place(
        of: link.relationship, declaredBy: link.owner)
    else { return }
    losses.append(
      ImportNote(
        type.entity.name, link.relationship.name,
        "The order of the members is lost, because the relationship is its own inverse"))
  }

  /// Counts the references to objects that do not exist, or that no property of the type has.
  private mutating func checkTargets(_ link: ImportedProperty.Link, _ type: ImportedType) throws {
    let links = type.properties.compactMap(\.link).filter {
      $0.relationship.name == link.relationship.name
    }
    let lost: Int
    switch store.place(of: link.relationship, declaredBy: link.owner) {
    case .ownerColumn(let column)?:
      let queries = StoreQueries(store: store)
      let found = try links.map { "(\(try queries.toOne($0))) IS NULL" }.joined(separator: " AND ")
      lost = try count(type.entity, "s.\(column.quoted) IS NOT NULL AND \(found)")
    case .joinTable(let table, let owner, let member, _, _)?:
      lost = try lostJoinRows(table.quoted, owner.quoted, member.quoted, of: type, links)
    case .memberColumn?, nil: return
    }
    guard lost > 0 else { return }
    losses.append(
      ImportNote(
        type.entity.name, link.relationship.name,
        "References are lost, because their objects do not exist or are not imported", rows: lost))
  }

  private func lostJoinRows(
    _ table: String, _ owner: String, _ member: String, of type: ImportedType,
    _ links: [ImportedProperty.Link]
  ) throws -> Int {
    let queries = StoreQueries(store: store)
    let missing = links.map { link in
      "NOT EXISTS (SELECT 1 FROM \(store.table(link.target).quoted) AS m "
        + "WHERE m.\"Z_PK\" = j.\(member) AND \(queries.isObject("m", of: link.target)))"
    }
    return Int(
      try store.connection.integer(
        "SELECT count(*) FROM \(table) AS j "
          + "JOIN \(store.table(type.entity).quoted) AS o ON o.\"Z_PK\" = j.\(owner) "
          + "WHERE \(queries.isObject("o", of: type.entity)) AND "
          + missing.joined(separator: " AND ")) ?? 0)
  }
}
