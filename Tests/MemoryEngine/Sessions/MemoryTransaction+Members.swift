package import MagicEngine
package import MagicSchema
import Magical

/// Writes the members of collections.
extension MemoryTransaction {
  package func apply(_ changes: [MemberChange]) throws {
    for change in changes {
      database.trace?(change.description)
      try apply(change)
    }
  }

  package func storedMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> LinkSlice {
    let column = schema.collections[collection]
    let list = LinkList(column, target: try column.target, keys: column.makeKeys())
    for member in try members(of: owner, in: collection, of: schema) {
      list.targets.append(member.target)
      if column.kind == .list { list.positions.append(member.position) }
      try list.keys?.append(member.key, of: column, schema, owner: owner)
    }
    return LinkSlice(list, start: 0, count: list.targets.count)
  }

  package func removeMembers(
    _ members: [Int64], of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    tables.change(schema) { table in
      for member in members { table.collections[collection].remove(target: member, of: owner) }
    }
  }

  package func removeAllMembers(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws {
    tables.change(schema) { $0.collections[collection].removeAll(of: owner) }
  }

  private func members(
    of owner: Int64, in collection: Int, of schema: ObjectSchema
  ) throws -> [Member] {
    try tables.memberTable(collection, of: schema)?.members(of: owner) ?? []
  }

  private func apply(_ change: MemberChange) throws {
    try tables.change(change.owner) { try write(change, to: &$0.collections[change.collection]) }
    let table = change.owner.tableName.folded
    for relationship in tables.relationships
    where relationship.owner == table && relationship.place == .collection(change.collection) {
      tables.note(Reference(relationship: relationship, owner: change.ownerID))
    }
  }

  private func write(_ change: MemberChange, to table: inout MemberTable) throws {
    let (owner, after) = (change.ownerID, change.after)
    if change.column.isOwned {
      // A member of an owned list has one owner, and is in its list once.
      for target in change.difference.inserted(of: after.targets) {
        for other in table.owners(of: target) { table.remove(target: target, of: other) }
      }
    }
    switch change.difference {
    case .insertAll where change.column.kind == .list:
      after.positions = try table.writeList(of: owner) { try $0.append(after.targets) }
    case .insertAll:
      for index in after.targets.indices {
        let member = Member(target: after.targets[index], key: try key(index, of: after, change))
        if change.isNew, change.column.kind == .dictionary, table.hasMember(at: member, of: owner) {
          throw MagicError(
            .cannotEncode, "Two keys of the dictionary have the same stored value.",
            type: change.owner.typeName, property: change.column.property)
        }
        table.insert(member, of: owner)
      }
    case .list(let difference):
      guard let before = change.before else { return }
      after.positions = try table.writeList(of: owner) {
        try $0.write(after.targets, before, difference)
      }
    case .set(let removed, let inserted):
      for target in removed { table.remove(target: target, of: owner) }
      for target in inserted { table.insert(Member(target: target), of: owner) }
    case .dictionary(let removed, let inserted):
      guard let before = change.before else { return }
      for place in removed {
        let index = before.start + place
        table.remove(
          Member(target: before.list.targets[index], key: try key(index, of: before.list, change)),
          of: owner)
      }
      for index in inserted {
        table.insert(
          Member(target: after.targets[index], key: try key(index, of: after, change)), of: owner)
      }
    }
  }

  /// The key of a member in a dictionary, or NULL in other collections.
  private func key(
    _ index: Int, of list: LinkList, _ change: MemberChange
  ) throws -> StoredValue {
    do {
      var writer = StoredValueWriter()
      try list.keys?.write(index, to: &writer)
      return writer.value
    } catch let error as MagicalError {
      throw MagicError(error, schema: change.owner, collection: change.column, row: change.ownerID)
    }
  }
}
