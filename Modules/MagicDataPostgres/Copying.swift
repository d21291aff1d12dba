import DatabaseTransfer
public import MagicData
import MagicPostgreSQL
import MagicSchema

extension MagicData {
  /// Copies a whole database to a new one, also between SQLite and PostgreSQL. The types are not
  /// needed.
  ///
  /// ```swift
  /// let summary = try await MagicData.copy(from: .file(path), to: .postgres(connection))
  /// ```
  ///
  /// The copy has one committed state of the source, with all rows, row IDs, members of collections
  /// and assets. Other programs may use the source meanwhile. The destination is written in one
  /// transaction, is read again, and is compared with the source before it is committed. After an
  /// error, a cancellation, or the end of the process, the destination does not exist, or is as empty
  /// as before. Rows and assets are read in pieces, so that memory is bounded; the time grows with
  /// the size of the database.
  ///
  /// - Parameters:
  ///   - progress: receives the part that is done, from 0 to 1.
  /// - Throws: `MagicError`: `.fileExists` or `.tableConflict` if the destination is not empty,
  ///   `.cannotEncode` for a value that the destination cannot store, `.assetMissing`,
  ///   `.brokenReference`, `.invalidSchema` for a name that the destination does not permit,
  ///   `.invalidOption` for a name of a schema that is empty or too long,
  ///   `.database` if the comparison fails, `.uncertain` if the connection is lost during the commit,
  ///   and the errors of opening both databases; `CancellationError`.
  @discardableResult
  public static func copy(
    from source: MagicDatabaseLocation, to destination: MagicDatabaseLocation,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> MagicCopySummary {
    for case .postgres(_, let schema) in [source, destination] {
      try PostgresOptions.check(schema: schema)
    }
    // Connections and files block a thread.
    return try await ThreadActor().run {
      let reading: any TransferSource =
        switch source {
        case .file(let path): try SQLiteSource(path: path)
        case .postgres(let information, let schema):
          try PostgreSQLSource(information, schema: schema)
        }
      defer { reading.close() }
      let writing: any TransferTarget =
        switch destination {
        case .file(let path): try SQLiteTarget(path: path)
        case .postgres(let information, let schema):
          try PostgreSQLTarget(information, schema: schema)
        }
      var transfer = DatabaseTransfer(from: reading, to: writing, progress)
      return MagicCopySummary(try transfer.run())
    }
  }
}
