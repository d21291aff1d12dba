public import Foundation
public import MagicData

extension MagicMigrationFixture {
  /// Records the current state of a database as a fixture: one file, and one folder for its assets
  /// if it has any.
  ///
  /// The fixture is created by `backup`, so the database may be in use. To record a fixture again,
  /// first delete both the file and the folder of the old fixture.
  ///
  /// - Parameters:
  ///   - magic: the database. A small one is best: one or two rows of every kind.
  ///   - file: the URL of the fixture. No file may exist there. Missing directories are created.
  /// - Throws: `MagicError`: `.fileExists`, `.assetMissing` and the other errors of `backup`.
  public static func record(_ magic: MagicData, to file: URL) async throws {
    try await magic.backup(to: file)
  }
}
