public import Foundation
public import MagicEngine
public import MagicSchema

extension AsyncMagicDatabase {
  /// The plan that would migrate the tables of types, and of all they refer to.
  ///
  /// ```swift
  /// print(try await magic.migrationPlan(for: Person.self))
  /// ```
  ///
  /// Nothing is changed. A type without a table needs nothing: its table is created with its first
  /// save.
  ///
  /// - Throws: `MagicError`: `.newerSchema` where a table was brought to a newer version of its type;
  ///   `CancellationError`.
  /// - Complexity: O(n) in the rows of tables that are to be changed.
  public func migrationPlan(
    for types: any MagicObject.Type...
  ) async throws -> MagicMigrationPlan {
    try await migrationPlan(for: types)
  }

  /// The same for types in an array.
  public func migrationPlan(
    for types: [any MagicObject.Type]
  ) async throws -> MagicMigrationPlan {
    try Task.checkCancellation()
    let (database, schemas) = try _store.store.migratable(types)
    return try await database.reading { try $0.migrationPlan(for: schemas) }
  }

  /// Migrates the tables of types, and of all they refer to: all of them or none.
  ///
  /// A table is migrated in any case when its type is first used. This does so for several at a
  /// moment of the program's choice, reports its progress, and can be cancelled. Other writes wait,
  /// reads see the tables as they were.
  ///
  /// Where another process migrates them, that one is waited for, ten minutes at most.
  ///
  /// - Parameters:
  ///   - path: where a copy of the database is put first, if rows are rewritten or deleted. Nothing
  ///     may lie there: a process that is killed leaves its copy, so a name of its own for each try,
  ///     with the time in it say, serves best. Where the migration fails, the copy is removed.
  ///     Default: no copy.
  ///   - progress: is called on no particular thread, for every ten thousand rows that are written.
  ///     Default: nothing.
  /// - Returns: what was done.
  /// - Throws: `MagicError`: `.needsMigration` with the plan where that takes a decision,
  ///   `.newerSchema`, `.notUnique`, `.migrationFailed`; `CancellationError`. Nothing is changed
  ///   then.
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await migrate(types, backup: path, progress: progress)
  }

  /// The same for types in an array.
  @discardableResult
  public func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    let (database, schemas) = try _store.store.migratable(types)
    return try await database.migrating(schemas, backup: path, progress: progress)
  }

  /// Migrates the tables of types, as the call with a path does.
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await migrate(types, backup: file.pathOfCopy, progress: progress)
  }
}

extension MagicObjectStore {
  /// As the asynchronous `migrationPlan(for:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func migrationPlan(
    for types: any MagicObject.Type...
  ) throws -> MagicMigrationPlan {
    try migrationPlan(for: types)
  }

  /// As the asynchronous `migrationPlan(for:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  public func migrationPlan(for types: [any MagicObject.Type]) throws -> MagicMigrationPlan {
    let (database, schemas) = try migratable(types)
    return try database.readBlocking { try $0.migrationPlan(for: schemas) }
  }

  /// As the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: path, progress: progress)
  }

  /// As the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    try migrate(types, backup: file.pathOfCopy, progress: progress)
  }

  /// As the asynchronous `migrate(_:backup:progress:)`, but blocks the thread.
  @available(*, noasync, message: "these calls block the thread: tasks use MagicData")
  @discardableResult
  public func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping (MagicMigrationProgress) -> Void = { _ in }
  ) throws -> MagicMigrationPlan {
    let (database, schemas) = try migratable(types)
    return try database.migrateBlocking(schemas, backup: path, progress: progress)
  }
}

extension MagicObjectStore {
  /// What migrates the tables of types, where the store is open.
  fileprivate func migratable(
    _ types: [any MagicObject.Type]
  ) throws -> (database: any EngineDatabase, schemas: [ObjectSchema]) {
    let schemas = try types.map(ObjectSchema.ofAny)
    try checkOpen()
    return (database, schemas)
  }
}

extension ObjectSchema {
  /// The schema of a type that is known when the program runs.
  fileprivate static func ofAny(_ type: any MagicObject.Type) throws -> ObjectSchema {
    try of(type)
  }
}
