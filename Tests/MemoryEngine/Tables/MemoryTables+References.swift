import MagicEngine
import MagicSchema

/// References between rows. They are checked when a transaction ends, so that rows that refer to
/// each other can be written in any order.
extension MemoryTables {
  /// Records the references of a row to rows that do not exist.
  mutating func noteReferences(of rowID: Int64, _ schema: ObjectSchema) {
    let table = schema.tableName.folded
    for relationship in relationships where relationship.owner == table {
      note(Reference(relationship: relationship, owner: rowID))
    }
  }

  mutating func note(_ reference: Reference) {
    if isBroken(reference) { brokenReferences.append(reference) }
  }

  /// Whether a row refers to a row that does not exist.
  mutating func hasBrokenReferences() -> Bool {
    guard !brokenReferences.isEmpty else { return false }
    brokenReferences = brokenReferences.filter(isBroken)
    return !brokenReferences.isEmpty
  }

  /// - Throws: `MagicError` with `.stillReferenced` and the owner's type.
  mutating func checkReferences() throws {
    guard hasBrokenReferences() else { return }
    let reference = brokenReferences[0]
    let schema = all[reference.relationship.owner]?.schema
    throw MagicError(
      .stillReferenced,
      "Row \(reference.owner) of \(schema?.tableName ?? reference.relationship.owner) refers to an "
        + "object that does not exist or is being removed.",
      type: schema?.typeName, property: reference.relationship.property.property)
  }

  private func isBroken(_ reference: Reference) -> Bool {
    let target = reference.relationship.target
    guard let table = all[reference.relationship.owner] else { return false }
    switch reference.relationship.place {
    case .column(let column):
      guard let rowID = table.rows[reference.owner]?.values[column].rowID else { return false }
      return !hasRow(rowID, in: target)
    case .collection(let index):
      let members = table.collections[index].members(of: reference.owner)
      return !members.isEmpty
        && (table.rows[reference.owner] == nil
          || members.contains { !hasRow($0.target, in: target) })
    }
  }

  /// The owners that refer to a row along a relationship, ascending.
  func owners(of target: Int64, along relationship: Relationship) -> [Int64] {
    guard let table = all[relationship.owner] else { return [] }
    return switch relationship.place {
    case .column(let column): table.rows(with: .integer(target), in: column)
    case .collection(let index): table.collections[index].owners(of: target)
    }
  }
}
