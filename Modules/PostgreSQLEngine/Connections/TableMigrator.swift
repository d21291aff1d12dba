package import MagicEngine
package import MagicSchema

/// Migrates the tables of earlier versions of types. Its implementation is in a higher module.
package protocol TableMigrator: Sendable {
  /// Renames the tables of types whose names have changed.
  ///
  /// - Parameter schemas: the types, with all types that they refer to.
  /// - Returns: the types whose tables were renamed.
  func renameTables(of schemas: [ObjectSchema], in session: EngineSession) throws -> [ObjectSchema]

  /// Returns whether a type can use the table of a later version of the type as it is.
  func canUse(_ schema: ObjectSchema, in session: EngineSession) throws -> Bool

  /// Migrates outdated tables in the open transaction. The tables of all types that they refer to
  /// exist.
  ///
  /// - Throws: `MagicError` with `.needsMigration`, `.newerSchema`, `.migrationFailed`, `.notUnique`.
  func migrateTables(
    of schemas: [ObjectSchema], in session: EngineSession,
    progress: @escaping (MagicMigrationProgress) -> Void
  ) throws

  /// Returns the plan that would migrate the tables of types.
  ///
  /// - Parameter schemas: the types, with all types that they refer to.
  func plan(for schemas: [ObjectSchema], in session: EngineSession) throws -> MagicMigrationPlan
}
