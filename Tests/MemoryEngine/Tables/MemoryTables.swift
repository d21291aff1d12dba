import MagicEngine
import MagicSchema

/// All tables of a database. The type is a value, so that a snapshot is a copy.
struct MemoryTables: Sendable {
  /// The tables by their folded names.
  var all: [String: MemoryTable] = [:]
  /// Counts the tables that were created.
  private(set) var version: Int64 = 0
  private(set) var relationships: [Relationship] = []
  /// References to rows that did not exist when the reference was written, or that were deleted
  /// later. Only rows that the open transaction has written can have broken references.
  var brokenReferences: [Reference] = []

  /// The table of a type, or nil if there is none.
  ///
  /// - Throws: `MagicError` with `.tableConflict` if the table is another type's, `.invalidSchema`
  ///   if a type that it refers to cannot be stored, `.unsupported` if the type has a collation.
  func table(of schema: ObjectSchema) throws -> MemoryTable? {
    _ = try schema.reach
    if let column = schema.columns.first(where: { $0.collation != nil }) {
      throw MagicError.noCollations(type: schema.typeName, property: column.property)
    }
    guard let table = all[schema.tableName.folded] else { return nil }
    let owner = table.schema
    guard owner === schema || owner.fingerprint == schema.fingerprint else {
      throw MagicError(
        .tableConflict,
        "\(schema.qualifiedName) and \(owner.qualifiedName) have different properties but the same "
          + "table: \(schema.tableName).", type: schema.typeName)
    }
    return table
  }

  /// Creates the missing tables of a type and of the types that it refers to.
  mutating func create(_ schema: ObjectSchema) throws {
    guard try table(of: schema) == nil else { return }
    all[schema.tableName.folded] = MemoryTable(schema)
    version += 1
    for target in try schema.targets { try create(target) }
    relationships += try Relationship.all(of: schema)
  }

  /// Changes the table of a type, which must exist.
  mutating func change<Result>(
    _ schema: ObjectSchema, _ body: (inout MemoryTable) throws -> Result
  ) rethrows -> Result {
    try body(&all[schema.tableName.folded, default: MemoryTable(schema)])
  }

  /// Prepares for a new transaction.
  mutating func begin() {
    for name in all.keys { all[name]?.resetTouched() }
  }

  /// Ends a transaction, before its commit.
  mutating func end() {
    for name in all.keys { all[name]?.endAssigning() }
    brokenReferences = []
  }

  func hasRow(_ rowID: Int64, in table: String) -> Bool { all[table]?.rows[rowID] != nil }
}

/// A relationship of a type's table to another.
struct Relationship: Sendable {
  enum Place: Sendable, Equatable {
    case column(Int)
    case collection(Int)
  }

  /// The folded names of the tables.
  let owner: String
  let target: String
  let place: Place
  let rule: MagicDeleteRule
  let property: PropertySchema

  static func all(of schema: ObjectSchema) throws -> [Relationship] {
    let owner = schema.tableName.folded
    return try schema.toOnes.map { column, toOne in
      Relationship(
        owner: owner, target: try toOne.target.tableName.folded, place: .column(column),
        rule: toOne.deleteRule, property: toOne)
    }
      + schema.collections.enumerated().compactMap { index, collection in
        guard collection.through == nil else { return nil }
        return Relationship(
          owner: owner, target: try collection.target.tableName.folded, place: .collection(index),
          rule: collection.deleteRule, property: collection)
      }
  }
}

/// A reference of a row along a relationship.
struct Reference: Sendable {
  let relationship: Relationship
  let owner: Int64
}
