import DatabaseTransfer
import MagicSchema
import OriginalImport

extension MagicDatabaseLocation {
  /// A database of the original MagicData, at a path. It can be the source of a copy, and not the
  /// destination.
  ///
  /// ```swift
  /// let imported = try await MagicData.copy(
  ///   from: .originalMagicData(old, as: [TodoItem.self, Tag.self]), to: .file(path))
  /// ```
  ///
  /// The file is not changed. A type has the name of its table, as its own name, its `tableName` or a
  /// former name of its table; a property has the name of its column in the same way. Objects keep their
  /// order: the row ID is the old number and 1. References to objects that were deleted become nil, or are
  /// left out of collections, as the original library reads them. A type of which no object was saved has
  /// no table in the file, and is empty.
  ///
  /// Values that the original library stores as JSON are checked: enumerations, dates, lists and
  /// structures. The migration steps of a type do not run on its imported rows.
  ///
  /// The files of assets must be next to the database, where the original library keeps them. Keys of
  /// dictionaries of objects must be `String` or `Int`. A primary that is the row ID is refused.
  ///
  /// Call `MagicData.importPlan(ofOriginalMagicData:as:)` first: it says what the copy would lose.
  ///
  /// - Parameters:
  ///   - path: the path of the database file.
  ///   - types: the types that get the objects.
  ///   - allowsLoss: whether tables and columns are left out that no type has, and optional assets whose
  ///     files are missing. False, which is the default, to throw `.invalidSchema` with the names of the
  ///     former, or `.assetMissing`.
  public static func originalMagicData(
    _ path: String, as types: [any MagicObject.Type], allowsLoss: Bool = false
  ) -> MagicDatabaseLocation {
    MagicDatabaseLocation(
      source: { try OriginalSource(path: path, types: types, allowsLoss: allowsLoss) },
      target: {
        throw MagicError(
          .unsupported, "A database of the original MagicData cannot be the destination of a copy.")
      })
  }
}
