import MagicRuntime
package import MagicSchema

/// Which type each table belongs to, so that two types of one name are found before either writes.
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
        "\(schema.qualifiedName) and \(owner.qualifiedName), two types of different properties, "
          + "claim one table: \(schema.tableName). Give one of them a tableName of its own.",
        type: schema.typeName)
    }
  }

  /// The type that a table is claimed by.
  package func owner(of table: String) -> ObjectSchema? {
    owners.withLock { $0[table.lowercased()] }
  }

  /// The table is the type's from now on.
  package func enter(_ schema: ObjectSchema) {
    owners.withLock { $0[schema.tableName.lowercased()] = schema }
  }

  /// The table was not created.
  package func withdraw(_ schema: ObjectSchema) {
    owners.withLock { owners in
      let key = schema.tableName.lowercased()
      if owners[key] === schema { owners[key] = nil }
    }
  }
}
