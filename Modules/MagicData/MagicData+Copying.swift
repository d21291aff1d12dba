import DatabaseTransfer
import MagicRuntime
import MagicSchema

extension MagicData {
  /// Copies a whole database to a new one: between a file, a folder of text files, and with the product
  /// MagicDataPostgres a server. The types are not needed.
  ///
  /// ```swift
  /// let exported = try await MagicData.copy(from: .file(path), to: .folder(folder))
  /// print(exported.rows, exported.assets)
  /// try await MagicData.copy(from: .folder(folder), to: .file(otherPath))
  /// ```
  ///
  /// The copy has one committed state of the source, with all rows, row IDs, members of collections
  /// and assets. Other programs may use a source of MagicData meanwhile. The destination is written in one
  /// transaction, is read again, and is compared with the source before it is committed.
  ///
  /// ``MagicDatabaseLocation/csv(_:)`` and ``MagicDatabaseLocation/sql(_:)`` are destinations only, and are
  /// not read again and compared. A store of Core Data or SwiftData and a database of the original
  /// MagicData are sources only; the latter needs the types. Close their programs before the copy.
  ///
  /// After an error, a cancellation, or the end of the process, the destination does not exist, or is as
  /// empty as before. Rows and assets are read in pieces, so that memory is bounded; the time grows with the
  /// size of the database.
  ///
  /// - Parameters:
  ///   - source: the database, folder or store that is read.
  ///   - destination: the database or folder that is created.
  ///   - progress: receives the part that is done, from 0 to 1.
  /// - Throws: `MagicError`: `.fileExists` or `.tableConflict` if the destination is not empty,
  ///   `.cannotEncode` for a value that the destination cannot store, `.cannotDecode` for a line of a
  ///   folder that is not valid, or a value of a store, `.assetMissing`, `.brokenReference`, `.corrupt` for
  ///   a file of a folder that lacks lines, `.invalidSchema` for a name that the destination does not
  ///   permit, or types that a source cannot become, `.unsupported` for a destination that can
  ///   only be a source, `.invalidOption` for a source that can only be a destination, or a name of a schema
  ///   that is empty or too long, `.database` if the comparison fails, `.uncertain` if the connection is lost during the commit,
  ///   and the errors of opening both databases; `CancellationError`.
  @discardableResult
  public static func copy(
    from source: MagicDatabaseLocation, to destination: MagicDatabaseLocation,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws -> MagicCopySummary {
    // Connections and files block a thread.
    try await ThreadActor().run {
      for location in [source, destination] { try location.check() }
      let reading = try source.makeSource()
      defer { reading.close() }
      var transfer = DatabaseTransfer(from: reading, to: try destination.makeTarget(), progress)
      return MagicCopySummary(try transfer.run())
    }
  }
}
