import MagicEngine
import MagicSchema

/// All tables of a database: a value, so that a snapshot is a copy.
struct MemoryTables: Sendable {
  /// By their folded names.
  var all: [String: MemoryTable] = [:]
  /// Counts the tables that were created.
  private(set) var version: Int64 = 0
  private(set) var relationships: [Relationship] = []
  /// References that were broken when they were made, or when the row they refer to was deleted.
  /// Only rows that the open transaction has written have such.
  var brokenReferences: [Reference] = []

  /// A type's table; nil where there is none.
  ///
  /// - Throws: `MagicError` with `.tableConflict` where another type has it, `.invalidSchema` where
  ///   a type that it refers to cannot be stored.
  func table(of schema: ObjectSchema) throws -> MemoryTable? {
    _ = try schema.reach
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

  /// Creates the tables of a type and of those that it refers to, where they are missing.
  mutating func create(_ schema: ObjectSchema) throws {
    guard try table(of: schema) == nil else { return }
    all[schema.tableName.folded] = MemoryTable(schema)
    version += 1
    for target in try schema.targets { try create(target) }
    relationships += try Relationship.all(of: schema)
  }

  /// Changes a type's table, which is there.
  mutating func change<Result>(
    _ schema: ObjectSchema, _ body: (inout MemoryTable) throws -> Result
  ) rethrows -> Result {
    try body(&all[schema.tableName.folded, default: MemoryTable(schema)])
  }

  /// A new transaction begins.
  mutating func begin() {
    for name in all.keys { all[name]?.forgetTouched() }
  }

  /// The transaction is about to be committed.
  mutating func end() {
    for name in all.keys { all[name]?.endCounting() }
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

  /// Folded names of tables.
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
      + schema.collections.enumerated().map { index, collection in
        Relationship(
          owner: owner, target: try collection.target.tableName.folded, place: .collection(index),
          rule: collection.deleteRule, property: collection)
      }
  }
}

/// What a row refers to along a relationship.
struct Reference: Sendable {
  let relationship: Relationship
  let owner: Int64
}
