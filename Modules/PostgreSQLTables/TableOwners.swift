import MagicRuntime
package import MagicSchema

/// The types that this process uses with the tables of a database.
package final class TableOwners: Sendable {
  private let types = Mutex<[String: ObjectSchema]>([:])

  package init() {}

  /// Records that a type uses its table.
  ///
  /// - Returns: whether no type has used it before.
  /// - Throws: `MagicError` with `.tableConflict` if another type uses it.
  @discardableResult
  package func claim(_ schema: ObjectSchema) throws -> Bool {
    let owner = types.withLock { types in
      let owner = types[schema.tableName.folded]
      if owner == nil { types[schema.tableName.folded] = schema }
      return owner
    }
    if let owner { try check(schema, owner) }
    return owner == nil
  }

  /// Checks that a type may use its table.
  ///
  /// - Throws: `MagicError` with `.tableConflict` if another type uses it.
  package func check(_ schema: ObjectSchema) throws {
    if let owner = type(of: schema.tableName) { try check(schema, owner) }
  }

  /// Records that a type does not use its table, because the table could not be migrated.
  package func release(_ schema: ObjectSchema) {
    types.withLock { types in
      if types[schema.tableName.folded] === schema { types[schema.tableName.folded] = nil }
    }
  }

  private func check(_ schema: ObjectSchema, _ owner: ObjectSchema) throws {
    guard owner === schema || owner.fingerprint == schema.fingerprint else {
      throw MagicError(
        .tableConflict,
        "\(schema.qualifiedName) and \(owner.qualifiedName) have different properties but the same "
          + "table: \(schema.tableName).", type: schema.typeName)
    }
  }

  /// The type that uses a table.
  package func type(of table: String) -> ObjectSchema? { types.withLock { $0[table.folded] } }
}
