public import Foundation
public import MagicData

extension MagicMigrationFixture {
  /// Keeps a database as it is now: one file, and one folder with its assets if it has any.
  ///
  /// It is what `backup` makes, so the database may be in use. To make a fixture anew, remove the old
  /// one first, both file and folder.
  ///
  /// - Parameters:
  ///   - magic: the database. Small ones serve best: a row or two of every kind.
  ///   - file: where the fixture is to be. Nothing may lie there; missing directories are made.
  /// - Throws: `MagicError`: `.fileExists`, `.assetMissing` and whatever else `backup` throws.
  public static func record(_ magic: MagicData, to file: URL) async throws {
    try await magic.backup(to: file)
  }
}
