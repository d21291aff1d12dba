import MagicRuntime
import MagicSchema

/// Which type each table belongs to, so that two types of one name are found before either writes.
final class TableClaims: @unchecked Sendable {
  let isReadOnly: Bool
  private let lock = Lock()
  private var owners: [String: ObjectSchema] = [:]

  init(isReadOnly: Bool) {
    self.isReadOnly = isReadOnly
  }

  /// - Throws: `MagicError` with `.tableConflict`.
  func claim(_ schema: ObjectSchema) throws {
    let owner = lock.withLock {
      let owner = owners[schema.tableName.lowercased()] ?? schema
      owners[schema.tableName.lowercased()] = owner
      return owner
    }
    guard owner.tableName == schema.tableName, owner.fingerprint == schema.fingerprint else {
      throw MagicError(
        .tableConflict,
        "\(schema.qualifiedName) and \(owner.qualifiedName), two types of different properties, "
          + "claim one table: \(schema.tableName). Give one of them a tableName of its own.",
        type: schema.typeName)
    }
  }
}
