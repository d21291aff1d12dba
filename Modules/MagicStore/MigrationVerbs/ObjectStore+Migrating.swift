public import Foundation
import MagicMigration
import MagicSQLite
public import MagicSchema
import SQLiteEngine
import SQLiteMigration

extension ObjectStore {
  /// The plan that would migrate the tables of types, and of all they refer to.
  ///
  /// Nothing is changed. A type without a table needs nothing: its table is created with its first
  /// save.
  ///
  /// - Throws: `MagicError`: `.newerSchema` where a table was brought to a newer version of its type.
  /// - Complexity: O(n) in the rows of tables that are to be changed.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func migrationPlan(
    for types: any MagicObject.Type...
  ) throws -> MagicMigrationPlan {
    try migrationPlan(for: types)
  }

  /// The same for types in an array.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func migrationPlan(for types: [any MagicObject.Type]) throws -> MagicMigrationPlan {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return try shared.readBlocking { try $0.migrationPlan(for: schemas) }
  }

  /// Migrates the tables of types, and of all they refer to: all of them or none.
  ///
  /// - Parameters:
  ///   - path: where a copy of the database is put first, if rows are rewritten or go. Nothing may
  ///     lie there.
  ///   - progress: is called for every ten thousand rows that are written.
  /// - Returns: what was done.
  /// - Throws: `MagicError`: `.needsMigration` with the plan where that takes a decision,
  ///   `.newerSchema`, `.notUnique`, `.migrationFailed`. Nothing is changed then.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: path, progress: progress)
  }

  /// Migrates the tables of types, as the call with a path does.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: file.pathOfCopy, progress: progress)
  }

  /// The same for types in an array.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return try shared.migrateBlocking(schemas, backup: path, progress: progress)
  }

  /// The plan without blocking a thread.
  package func planningMigration(
    for types: [any MagicObject.Type]
  ) async throws -> MagicMigrationPlan {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return try await shared.read { try $0.migrationPlan(for: schemas) }
  }

  /// The migration without blocking a thread of the cooperative pool.
  package func migrating(
    _ types: [any MagicObject.Type], backup path: String?,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void
  ) async throws -> MagicMigrationPlan {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return try await shared.migrating(schemas, backup: path, progress: progress)
  }
}

extension StoreConnection {
  func migrationPlan(for schemas: [ObjectSchema]) throws -> MagicMigrationPlan {
    for schema in schemas { _ = try schema.reach }
    return try connection.snapshot {
      try MigrationPlanner(connection).plan(for: schemas).summary
    }
  }
}

extension ObjectSchema {
  /// The schema of a type that is known when the program runs.
  fileprivate static func ofAny(_ type: any MagicObject.Type) throws -> ObjectSchema {
    try of(type)
  }
}
