import MagicRuntime
package import MagicSchema

/// The types that this process uses with the tables of a database.
package final class TableOwners: Sendable {
  private let types = Mutex<[String: ObjectSchema]>([:])

  package init() {}

  /// Records that a type uses its table.
  ///
  /// - Throws: `MagicError` with `.tableConflict` if another type uses it.
  package func claim(_ schema: ObjectSchema) throws {
    let owner = types.withLock { types in
      let owner = types[schema.tableName.folded]
      if owner == nil { types[schema.tableName.folded] = schema }
      return owner ?? schema
    }
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
