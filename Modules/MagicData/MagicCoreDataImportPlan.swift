import CoreDataImport

/// What the import of a store of Core Data or SwiftData would do, from
/// `MagicData.importPlan(ofCoreData:model:as:names:)`.
///
/// ```swift
/// let plan = try await MagicData.importPlan(ofCoreData: store)
/// print(plan)  // the types, their rows and properties, what is lost, and what is refused
/// ```
public struct MagicCoreDataImportPlan: Sendable {
  /// A type that would be imported.
  public struct ImportedType: Sendable, Equatable {
    /// The name of the entity.
    public let entity: String
    /// The name of the type that gets the objects of the entity.
    public let type: String
    /// The number of objects.
    public let rows: Int
    /// The properties.
    public let properties: [Property]
  }

  /// A property that would be imported.
  public struct Property: Sendable, Equatable {
    /// The name of the property of the type.
    public let name: String
    /// The attribute; or the relationship, with the entity of its objects in parentheses.
    public let source: String
  }

  /// What is lost, or why the import is refused.
  public struct Note: Sendable, Equatable {
    /// The name of the entity.
    public let entity: String
    /// The name of the property in the model; nil if the note concerns the entity.
    public let property: String?
    /// The reason, for people.
    public let reason: String
    /// The number of rows that the note concerns; nil if it does not depend on rows.
    public let rows: Int?
  }

  /// The types, in the order in which they were given; or of the names of their entities.
  public let types: [ImportedType]
  /// What the import does not keep: entities and properties without a counterpart, the order of
  /// members, references to objects that do not exist, delete rules. It also names transformable
  /// attributes, whose values stay data.
  public let losses: [Note]
  /// Why the import would throw. Empty if it can run; single values can still be invalid.
  public let refusals: [Note]
  /// Swift source for the types that have all objects of the model.
  public let swiftSource: String

  init(_ plan: ImportPlan) {
    types = plan.summaries.map { summary in
      ImportedType(
        entity: summary.entity, type: summary.type, rows: summary.rows,
        properties: summary.properties.map { Property(name: $0.name, source: $0.source) })
    }
    losses = plan.losses.map(Note.init)
    refusals = plan.refusals.map(Note.init)
    swiftSource = plan.swiftSource
  }
}

extension MagicCoreDataImportPlan.Note: CustomStringConvertible {
  init(_ note: ImportNote) {
    (entity, property, reason, rows) = (note.entity, note.property, note.reason, note.rows)
  }

  /// The place, the reason and the number of rows on one line.
  public var description: String {
    entity + (property.map { ".\($0)" } ?? "") + ": \(reason)"
      + (rows.map { " (\($0) rows)" } ?? "")
  }
}

extension MagicCoreDataImportPlan: CustomStringConvertible {
  /// The types with their properties, then the losses, then the refusals, each on a line.
  public var description: String {
    var lines: [String] = []
    for type in types {
      lines.append("\(type.entity) → \(type.type): \(type.rows) rows")
      lines += type.properties.map { "  \($0.source) → \($0.name)" }
    }
    lines += losses.map { "lost: \($0)" }
    lines += refusals.map { "refused: \($0)" }
    return lines.joined(separator: "\n")
  }
}
