import MagicEngine
import MagicSchema

/// Deletes rows, following the delete rules of relationships.
extension MemoryTables {
  private struct Row: Hashable {
    let table: String
    let rowID: Int64
  }

  /// Deletes rows of a type, and all rows to which the deletion cascades.
  mutating func delete(_ rowIDs: some Sequence<Int64>, of schema: ObjectSchema) throws {
    let rows = try withAllThatCascades(
      rowIDs.map { Row(table: schema.tableName.folded, rowID: $0) })
    for row in rows { all[row.table]?.remove(row.rowID) }
    for row in rows {
      for relationship in relationships where relationship.target == row.table {
        for owner in owners(of: row.rowID, along: relationship) {
          try release(owner, from: row.rowID, along: relationship)
        }
      }
    }
  }

  /// The given rows, and all rows to which their deletion cascades.
  private func withAllThatCascades(_ rows: [Row]) throws -> [Row] {
    var (found, known) = (rows, Set(rows))
    var cancellation = CancellationCheck()
    var next = 0
    func add(_ rowIDs: [Int64], in table: String) {
      for rowID in rowIDs where known.insert(Row(table: table, rowID: rowID)).inserted {
        found.append(Row(table: table, rowID: rowID))
      }
    }
    while next < found.count {
      try cancellation.count()
      let row = found[next]
      next += 1
      for relationship in relationships where relationship.rule == .cascade {
        switch relationship.place {
        case .column where relationship.target == row.table:
          add(owners(of: row.rowID, along: relationship), in: relationship.owner)
        case .collection(let index) where relationship.owner == row.table:
          let members = all[row.table]?.collections[index].members(of: row.rowID) ?? []
          add(members.map(\.target), in: relationship.target)
        default: break
        }
      }
    }
    return found
  }

  /// Removes the references of an owner to a deleted row, as the delete rule says.
  private mutating func release(
    _ owner: Int64, from target: Int64, along relationship: Relationship
  ) throws {
    guard relationship.rule != .deny else {
      return note(Reference(relationship: relationship, owner: owner))
    }
    switch relationship.place {
    case .column(let column): try all[relationship.owner]?.update(owner, [(column, .null)])
    case .collection(let index):
      all[relationship.owner]?.collections[index].remove(target: target, of: owner)
    }
  }
}
