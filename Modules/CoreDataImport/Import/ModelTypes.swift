/// The types of a model, without a store.
package enum ModelTypes {
  /// Returns Swift source for the types that have all objects of a model.
  ///
  /// - Parameters:
  ///   - path: the path of the model.
  ///   - names: other names of entities and properties.
  /// - Throws: `MagicError`: `.cannotOpen` if there is no model at the path, `.corrupt` if it is not
  ///   valid.
  package static func swiftSource(ofModel path: String, names: [String: String]) throws -> String {
    var derivation = TypeDerivation(try ModelFile.model(at: path), names: names)
    return ModelSource(types: derivation.types()).text()
  }
}
