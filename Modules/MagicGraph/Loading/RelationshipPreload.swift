package import MagicEngine
package import MagicSchema

/// A lazy relationship that is loaded together with the objects of a query, by further reads.
package protocol RelationshipPreload: Sendable {
  /// Loads the values of the relationship for fetched rows of its type.
  func load(for chunks: [RowChunk], on reader: any EngineReader) throws

  /// Inserts what loading reads into the region of a query for objects of a type.
  func insert(into region: inout ReadRegion, of schema: ObjectSchema) throws
}

extension ReadRegion {
  /// Inserts the tables of the objects of a relationship, and of all objects that they refer to.
  package mutating func insert(targets target: ObjectSchema, ofQueryFor schema: ObjectSchema) throws
  {
    for loaded in [target] + (try target.loadedTypes) {
      insert(loaded, isLoaded: true)
      // The result also depends on rows of the type that the query does not find.
      if loaded === schema { root = nil }
    }
  }
}
