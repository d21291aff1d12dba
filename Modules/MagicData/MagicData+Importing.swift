import CoreDataImport
import MagicRuntime
import MagicSchema

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
