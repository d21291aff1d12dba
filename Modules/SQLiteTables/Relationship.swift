import MagicSchema

/// A relationship as the file describes it: which table refers to which.
package struct Relationship: Equatable {
  package var owner: String
  /// The owner's column, or the name of its collection.
  package var column: String
  /// `one`, `list`, `set` or `dictionary`.
  package let kind: String
  package var target: String
  /// `nullify`, `deny` or `cascade`.
  package let rule: String
  /// The join table of a collection; nil for a to-one relationship.
  package var linkTable: String?

  static func all(of schema: ObjectSchema) throws -> [Relationship] {
    try schema.toOnes.map {
      Relationship(
        owner: schema.tableName, column: $0.schema.name, kind: "one",
        target: try $0.schema.target.tableName, rule: $0.schema.deleteRule.rawValue,
        linkTable: nil)
    }
      + schema.collections.map {
        Relationship(
          owner: schema.tableName, column: $0.name, kind: $0.kind.rawValue,
          target: try $0.target.tableName, rule: $0.deleteRule.rawValue,
          linkTable: LinkTable(owner: schema, column: $0).name)
      }
  }
}
