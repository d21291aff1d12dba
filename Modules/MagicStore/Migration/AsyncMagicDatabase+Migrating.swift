public import Foundation
public import MagicEngine
public import MagicSchema

extension AsyncMagicDatabase {
  /// Returns the plan that would migrate the tables of types, and of all types that they refer to.
  ///
  /// ```swift
  /// print(try await magic.migrationPlan(for: Person.self))
  /// ```
  ///
  /// The call changes nothing. A type without a table needs no migration: its table is created by
  /// its first save. A table that another program has created is a refused step, unless the type's
  /// migrations adopt it: then the plan has the steps of the adoption.
  ///
  /// - Throws: `MagicError`: `.newerSchema` if a table was migrated to a newer version of its type;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the number of rows of tables that need changes.
  public func migrationPlan(
    for types: any MagicObject.Type...
  ) async throws -> MagicMigrationPlan {
    try await migrationPlan(for: types)
  }

  /// Returns the same plan for types in an array.
  public func migrationPlan(
    for types: [any MagicObject.Type]
  ) async throws -> MagicMigrationPlan {
    try Task.checkCancellation()
    let (database, schemas) = try _store.store.databaseAndSchemas(of: types)
    return try await database.reading { try $0.migrationPlan(for: schemas) }
  }

  /// Migrates the tables of types, and of all types that they refer to: all of them or none.
  ///
  /// Without this call, each table is migrated when its type is first used. With this call, the
  /// program chooses when the tables are migrated, receives the progress, and can cancel the
  /// migration. All tables are migrated in one transaction. Meanwhile, other writes wait, and reads
  /// see the tables as they were before.
  ///
  /// If another process is migrating the tables, the call waits for it, ten minutes at most.
  ///
  /// - Parameters:
  ///   - path: the path of a backup that is made first if the migration rewrites or deletes rows.
  ///     No file may exist at this path. A process that is killed does not delete its backup, so
  ///     use a new name for each attempt, for example one with the time. If the migration fails,
  ///     the backup is deleted. Default: no backup.
  ///   - progress: a closure that is called on an arbitrary thread after every ten thousand rows
  ///     that are written. Default: an empty closure.
  /// - Returns: the plan that was run.
  /// - Throws: `MagicError`: `.needsMigration` with the plan if the migration needs a decision of
  ///   the developer, `.newerSchema`, `.notUnique`, `.migrationFailed`; `CancellationError`.
  ///   Nothing is changed then.
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await migrate(types, backup: path, progress: progress)
  }

  /// Migrates the tables of types in an array.
  @discardableResult
  public func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    let (database, schemas) = try _store.store.databaseAndSchemas(of: types)
    return try await database.migrating(schemas, backup: path, progress: progress)
  }

  /// Migrates the tables of types, with a file URL for the backup.
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await migrate(types, backup: file.backupPath, progress: progress)
  }
}

extension MagicObjectStore {
  /// Like the asynchronous `migrationPlan(for:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func migrationPlan(
    for types: any MagicObject.Type...
  ) throws -> MagicMigrationPlan {
    try migrationPlan(for: types)
  }

  /// Like the asynchronous `migrationPlan(for:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func migrationPlan(for types: [any MagicObject.Type]) throws -> MagicMigrationPlan {
    let (database, schemas) = try databaseAndSchemas(of: types)
    return try database.readBlocking { try $0.migrationPlan(for: schemas) }
  }

  /// Like the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: path, progress: progress)
  }

  /// Like the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: file.backupPath, progress: progress)
  }

  /// Like the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  @discardableResult
  public func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    let (database, schemas) = try databaseAndSchemas(of: types)
    return try database.migrateBlocking(schemas, backup: path, progress: progress)
  }
}

extension MagicObjectStore {
  /// Returns the database and the schemas of types for a migration, and checks that the store is
  /// open.
  fileprivate func databaseAndSchemas(
    of types: [any MagicObject.Type]
  ) throws -> (database: any EngineDatabase, schemas: [ObjectSchema]) {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return (database, schemas)
  }
}

extension ObjectSchema {
  /// Returns the schema of a type that is only known at run time.
  fileprivate static func ofAny(_ type: any MagicObject.Type) throws -> ObjectSchema {
    try of(type)
  }
}
