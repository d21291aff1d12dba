import MagicSchema

/// A relationship as the file describes it: which table refers to which.
package struct Relationship: Equatable {
  package var owner: String
  /// The owner's column, or the name of its collection.
  package var column: String
  /// `one`, `list`, `set`, `dictionary` or `owned`.
  package let kind: String
  package var target: String
  /// `nullify`, `deny` or `cascade`.
  package let rule: String
  /// The join table of a collection; nil for a to-one relationship and for an owned list.
  package var linkTable: String?

  package init(
    owner: String, column: String, kind: String, target: String, rule: String, linkTable: String?
  ) {
    self.owner = owner
    self.column = column
    self.kind = kind
    self.target = target
    self.rule = rule
    self.linkTable = linkTable
  }

  static func all(of schema: ObjectSchema) throws -> [Relationship] {
    try schema.toOnes.map {
      Relationship(
        owner: schema.tableName, column: $0.schema.name, kind: "one",
        target: try $0.schema.target.tableName, rule: $0.schema.deleteRule.rawValue,
        linkTable: nil)
    }
      + schema.storedCollections.map {
        Relationship(
          owner: schema.tableName, column: $0.name, kind: $0.storedKind,
          target: try $0.target.tableName, rule: $0.deleteRule.rawValue,
          linkTable: $0.isOwned ? nil : LinkTable(owner: schema, column: $0).name)
      }
  }

  /// The kind of a list whose owners are in the table of its members.
  static let ownedKind = "owned"

  package var isOwned: Bool { kind == Self.ownedKind }

  package var isToOne: Bool { linkTable == nil && !isOwned }

  /// The columns of an owned list; nil for other relationships.
  package var ownedColumns: OwnedColumns? {
    guard isOwned else { return nil }
    return OwnedColumns(
      owner: owner, property: column, members: target,
      rule: MagicDeleteRule(rawValue: rule) ?? .nullify)
  }
}

extension CollectionColumn {
  /// The kind of the relationship in the file.
  package var storedKind: String { isOwned ? Relationship.ownedKind : kind.rawValue }
}
