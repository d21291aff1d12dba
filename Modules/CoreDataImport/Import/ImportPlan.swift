import MagicSQLite
package import MagicSchema
import SQLiteTables

/// What an import would do: the types with their rows, what is lost, and why it is refused.
package struct ImportPlan {
  package struct TypeSummary: Sendable {
    package let entity: String
    package let type: String
    package let rows: Int
    /// The imported properties with the properties of the entity from which they come.
    package let properties: [(name: String, source: String)]
  }

  package let summaries: [TypeSummary]
  package private(set) var losses: [ImportNote]
  package private(set) var refusals: [ImportNote]
  /// The types as Swift source.
  package let swiftSource: String
  let types: [ImportedType]

  /// - Parameters:
  ///   - schemas: the types; empty to derive them from the model.
  ///   - names: other names of entities and properties.
  init(of store: CoreDataStore, schemas: [ObjectSchema], names: [String: String]) throws {
    var derivation = TypeDerivation(store.model, names: names)
    var derived = derivation.types()
    var losses = derivation.notes
    var refusals: [ImportNote] = []
    // A model can have entities whose objects are in another store.
    let missing = derived.filter {
      store.number($0.entity) == nil || !store.hasTable(store.table($0.entity))
    }
    losses += missing.map { ImportNote($0.entity.name, "The store does not have the entity") }
    let absent = Set(missing.map(\.entity.name))
    derived.removeAll { absent.contains($0.entity.name) }
    for index in derived.indices {
      derived[index].properties.removeAll { absent.contains($0.link?.target.name ?? "") }
    }
    for name in names.keys.sorted() where !Self.isName(name, in: store.model) {
      refusals.append(
        ImportNote(name, "The mapping names an entity or a property that does not exist"))
    }
    var counts = StoreCounts(store: store)
    if schemas.isEmpty {
      for index in derived.indices { try counts.weaken(&derived[index]) }
      types = derived
    } else {
      var matching = TypeMatching(derived)
      types = matching.types(for: schemas)
      losses += matching.losses
      refusals += matching.refusals
    }
    for type in types { try counts.check(type, isWeakened: schemas.isEmpty) }
    (self.losses, self.refusals) = (losses + counts.losses, refusals + counts.refusals)
    self.refusals += NameChecks.refusals(of: types)
    summaries = try types.map { type in
      TypeSummary(
        entity: type.entity.name, type: type.name, rows: try counts.rows(of: type),
        properties: type.properties.filter { !$0.isInverse }.map { ($0.name, Self.source(of: $0)) })
    }
    swiftSource = ModelSource(types: derived).text()
  }

  private static func isName(_ name: String, in model: CoreDataModel) -> Bool {
    if model.entity(name) != nil { return true }
    guard let dot = name.firstIndex(of: "."), let entity = model.entity(String(name[..<dot])) else {
      return false
    }
    let property = name[name.index(after: dot)...]
    return model.attributes(entity).contains { $0.attribute.name == property }
      || model.relationships(entity).contains { $0.relationship.name == property }
  }

  private static func source(of property: ImportedProperty) -> String {
    switch property.content {
    case .attribute(_, let attribute, _): attribute.name
    case .newKey: "a new key"
    case .toOne(let link, _), .toMany(let link, _, _, _), .inverse(let link, _):
      "\(link.relationship.name) (\(link.target.name))"
    }
  }

  /// Reads the plan of a store, and closes the store.
  ///
  /// - Throws: `MagicError`: `.cannotOpen`, `.notADatabase`, `.corrupt`, `.busy`, `.invalidSchema`.
  package static func read(
    store path: String, model: String?, types: [any MagicObject.Type], names: [String: String]
  ) throws -> ImportPlan {
    let store = try CoreDataStore(path: path, model: model)
    defer { store.close() }
    let plan = try translatingErrors {
      try ImportPlan(of: store, schemas: types.map { try ObjectSchema.of($0) }, names: names)
    }
    try store.checkNotInUse()
    return plan
  }
}

/// The names that the tables of types cannot have.
enum NameChecks {
  static func refusals(of types: [ImportedType]) -> [ImportNote] {
    var refusals: [ImportNote] = []
    var tables: Set<String> = []
    for type in types {
      if !tables.insert(type.table.uppercased()).inserted {
        refusals.append(ImportNote(type.entity.name, "Another type has the same table"))
      }
      var columns: Set = ["Z_INDEX", "ZINDEX"]
      for property in type.properties
      where !columns.insert(property.column.uppercased()).inserted {
        refusals.append(
          ImportNote(
            type.entity.name, property.name,
            "The name is reserved, or another property has it: give the property another name"))
      }
    }
    return refusals
  }
}
