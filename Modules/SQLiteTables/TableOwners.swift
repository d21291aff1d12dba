import MagicRuntime
package import MagicSchema

/// The type that uses each table, so that two types with the same table name are detected before
/// either writes.
package final class TableOwners: Sendable {
  package let isReadOnly: Bool
  private let owners = Mutex<[String: ObjectSchema]>([:])

  package init(isReadOnly: Bool) {
    self.isReadOnly = isReadOnly
  }

  /// - Throws: `MagicError` with `.tableConflict`.
  package func check(_ schema: ObjectSchema) throws {
    guard let owner = owners.withLock({ $0[schema.tableName.lowercased()] }) else { return }
    guard owner.tableName == schema.tableName, owner.fingerprint == schema.fingerprint else {
      throw MagicError(
        .tableConflict,
        "\(schema.qualifiedName) and \(owner.qualifiedName) have different properties but the same "
          + "table: \(schema.tableName). Give one of them another tableName.",
        type: schema.typeName)
    }
  }

  /// Returns the type that uses a table.
  package func owner(of table: String) -> ObjectSchema? {
    owners.withLock { $0[table.lowercased()] }
  }

  /// Records that a type uses its table.
  package func enter(_ schema: ObjectSchema) {
    owners.withLock { $0[schema.tableName.lowercased()] = schema }
  }

  /// Removes a type whose table was not created.
  package func remove(_ schema: ObjectSchema) {
    owners.withLock { owners in
      let key = schema.tableName.lowercased()
      if owners[key] === schema { owners[key] = nil }
    }
  }
}
