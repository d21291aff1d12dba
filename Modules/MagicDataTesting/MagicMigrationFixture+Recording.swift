public import Foundation
public import MagicData

extension MagicMigrationFixture {
  /// Records the current state of a database as a fixture: one file, and one folder if the database
  /// has assets.
  ///
  /// The fixture is created by `backup`, so the database may be in use. To record a fixture again,
  /// first delete both the file and the folder of the old fixture.
  ///
  /// - Parameters:
  ///   - magic: the database. A small database is enough, for example one with one or two rows of
  ///     each type.
  ///   - file: the URL of the new file. No file may exist at this URL. Missing directories are
  ///     created.
  /// - Throws: `MagicError`: `.fileExists`, `.assetMissing` and the other errors of `backup`.
  public static func record(_ magic: MagicData, to file: URL) async throws {
    try await magic.backup(to: file)
  }
}
