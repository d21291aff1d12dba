public import Foundation
public import MagicSchema
public import MagicStore

extension MagicData {
  /// What would bring the tables of types, and of all they lead to, to their shape.
  ///
  /// ```swift
  /// print(try await magic.migrationPlan(for: Person.self))
  /// ```
  ///
  /// Nothing is changed. A type without a table needs nothing: its table comes to be with its first
  /// save.
  ///
  /// - Throws: `MagicError`: `.newerSchema` where a table was brought to a newer version of its type.
  /// - Complexity: O(n) in the rows of tables that are to be changed.
  public nonisolated func migrationPlan(
    for types: any MagicObject.Type...
  ) async throws -> MagicMigrationPlan {
    try await migrationPlan(for: types)
  }

  /// The same for types in an array.
  public nonisolated func migrationPlan(
    for types: [any MagicObject.Type]
  ) async throws -> MagicMigrationPlan {
    try Task.checkCancellation()
    return try await store.planningMigration(for: types)
  }

  /// Brings the tables of types, and of all they lead to, to their shape: all of them or none.
  ///
  /// A table is brought to its shape in any case when its type is first used. This does so for
  /// several at a moment of the program's choice, tells how far it has come, and can be cancelled.
  /// Other writes wait, reads see the tables as they were.
  ///
  /// Where another process is at it, that one is waited for, ten minutes at most.
  ///
  /// - Parameters:
  ///   - path: where a copy of the database is put first, if rows are rewritten or go. Nothing may
  ///     lie there: a process that is killed leaves its copy, so a name of its own for each try, with
  ///     the time in it say, serves best. Where the migration fails, the copy goes.
  ///   - progress: is called on no particular thread, for every ten thousand rows that are written.
  /// - Returns: what was done.
  /// - Throws: `MagicError`: `.needsMigration` with the plan where that takes a decision,
  ///   `.newerSchema`, `.notUnique`, `.migrationFailed`; `CancellationError`. Nothing is changed
  ///   then.
  @discardableResult
  public nonisolated func migrate(
    _ types: any MagicObject.Type..., backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await store.migrating(types, backup: path, progress: progress)
  }

  /// The same for types in an array.
  @discardableResult
  public nonisolated func migrate(
    _ types: [any MagicObject.Type], backup path: String? = nil,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await store.migrating(types, backup: path, progress: progress)
  }

  /// Brings the tables of types to their shape, like ``migrate(_:backup:progress:)-(_,String?,_)``.
  @discardableResult
  public nonisolated func migrate(
    _ types: any MagicObject.Type..., backup file: URL,
    progress: @escaping @Sendable (MagicMigrationProgress) -> Void = { _ in }
  ) async throws -> MagicMigrationPlan {
    try await store.migrating(types, backup: file.pathOfCopy, progress: progress)
  }
}
