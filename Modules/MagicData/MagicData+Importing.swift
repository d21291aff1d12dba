import CoreDataImport
public import Foundation
import MagicRuntime
import MagicSchema
import OriginalImport

extension MagicData {
  /// Returns what the import of a store of Core Data or SwiftData would do, without writing anything.
  ///
  /// `copy(from:to:progress:)` imports the store; its source is
  /// ``MagicDatabaseLocation/coreData(_:model:as:names:)`` with the same arguments. The time grows with
  /// the number of rows, which are counted.
  ///
  /// - Parameters:
  ///   - path: the path of the store.
  ///   - model: the path of the app's model; nil, which is the default, to read the model that the store
  ///     contains.
  ///   - types: the types that get the objects; empty, which is the default, for the types of the plan's
  ///     `swiftSource`.
  ///   - names: the names of types and properties that differ from those of the model, by `Entity` and
  ///     `Entity.property`.
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase` if the file is no such store, or contains no
  ///   model, `.corrupt`, `.busy`, `.invalidSchema` for a type that cannot be stored as it is declared.
  public static func importPlan(
    ofCoreData path: String, model: String? = nil, as types: [any MagicObject.Type] = [],
    names: [String: String] = [:]
  ) async throws -> MagicCoreDataImportPlan {
    try await ThreadActor().run {
      MagicCoreDataImportPlan(
        try ImportPlan.read(store: path, model: model, types: types, names: names))
    }
  }

  /// Returns what the import of a database of the original MagicData would do, without writing anything.
  ///
  /// `copy(from:to:progress:)` imports the database; its source is
  /// ``MagicDatabaseLocation/originalMagicData(_:as:allowsLoss:)`` with the same arguments. All values are
  /// read and checked, so the time grows with the size of the database.
  ///
  /// - Parameters:
  ///   - path: the path of the database file.
  ///   - types: the types that get the objects.
  /// - Throws: `MagicError`: `.cannotDecode` for a value that is not valid, `.assetMissing` for a required
  ///   asset, `.invalidSchema` for types that the file cannot become, `.cannotOpen`, `.notADatabase`,
  ///   `.corrupt`, `.busy`; `CancellationError`.
  public static func importPlan(
    ofOriginalMagicData path: String, as types: [any MagicObject.Type]
  ) async throws -> MagicOriginalImportPlan {
    try await ThreadActor().run {
      MagicOriginalImportPlan(try OriginalPlan(path: path, types: types))
    }
  }

  /// Returns the path of the database of the original MagicData in a directory: of `default.sqlite3`, if the
  /// original library has created it.
  ///
  /// The default path of the original library is also that of this one, so a program that is updated finds
  /// the old database there. Import it to another path, and open that one.
  ///
  /// - Parameter directory: the directory; nil, which is the default, for the user's documents directory.
  /// - Returns: the path; nil if there is no such file, or if it cannot be read now, for example because it
  ///   is locked or protected. So a missing path does not prove that there is no old data.
  public static func originalMagicDataPath(in directory: URL? = nil) -> String? {
    let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    guard let path = (directory ?? documents)?.appendingPathComponent("default.sqlite3").path,
      OriginalSearch.isOriginal(path)
    else { return nil }
    return path
  }

  /// Returns Swift source for the types that have all objects of a model of Core Data, without a store.
  ///
  /// - Parameters:
  ///   - path: the path of the model, with the extension `xcdatamodeld`, `xcdatamodel`, `momd` or `mom`.
  ///   - names: the names of types and properties that differ from those of the model, by `Entity` and
  ///     `Entity.property`.
  /// - Throws: `MagicError`: `.cannotOpen` if there is no model at the path, `.corrupt` if it is not
  ///   valid.
  public static func swiftSource(
    ofCoreDataModel path: String, names: [String: String] = [:]
  ) throws -> String {
    try ModelTypes.swiftSource(ofModel: path, names: names)
  }
}
