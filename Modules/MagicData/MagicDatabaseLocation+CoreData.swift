import CoreDataImport
import DatabaseTransfer
import MagicSchema

extension MagicDatabaseLocation {
  /// A store of Core Data or SwiftData, at a path. It can be the source of a copy, and not the
  /// destination.
  ///
  /// ```swift
  /// let imported = try await MagicData.copy(
  ///   from: .coreData(store, as: [Note.self, Folder.self]), to: .file(path))
  /// ```
  ///
  /// The store and its log are not changed. Row numbers become row IDs. Call
  /// `MagicData.importPlan(ofCoreData:model:as:names:)` first: it says what the copy would lose.
  ///
  /// Close the app before the copy. An app that has the store open in the mode of write-ahead logging,
  /// the default, can use it meanwhile. But if no program has the store open when the copy begins, then
  /// the store is read without locks, and the copy throws `.busy` when a program opens it. In the mode
  /// `DELETE`, programs can read the store during the copy, and cannot commit.
  ///
  /// - Parameters:
  ///   - path: the path of the store, such as `default.store`. The files of values with external
  ///     storage are in a folder next to it.
  ///   - model: the path of the app's model, with the extension `xcdatamodeld`, `xcdatamodel`, `momd` or
  ///     `mom`. Nil, which is the default, to read the model that the store contains; very old stores
  ///     contain none.
  ///   - types: the types that get the objects. Entities without a type are left out. Empty, which is the
  ///     default, for the types of the plan's `swiftSource`.
  ///   - names: the names of types and properties that differ from those of the model, by `Entity` and
  ///     `Entity.property`.
  public static func coreData(
    _ path: String, model: String? = nil, as types: [any MagicObject.Type] = [],
    names: [String: String] = [:]
  ) -> MagicDatabaseLocation {
    MagicDatabaseLocation(
      source: { try CoreDataSource(path: path, model: model, types: types, names: names) },
      target: {
        throw MagicError(
          .unsupported, "A store of Core Data cannot be the destination of a copy.")
      })
  }
}
