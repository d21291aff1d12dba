package import MagicSchema

/// A description of what an observer observes. Table names are case-folded.
package struct ObservationFilter: Sendable, Equatable {
  /// The tables of types, with their join tables. Their changes are observed for each row.
  package var types: Set<String> = []
  /// Other tables. Only the fact that they changed is observed.
  package var tables: Set<String> = []
  /// Whether all types' tables are observed.
  package var isAllTypes = false
  /// Whether every commit is observed.
  package var isAny = false

  /// The names of the primary columns, by table. The name is empty for a type without a primary.
  package var primaries: [String: String] = [:]
  /// The names of the columns of the keys, by table, for the types that have a key.
  package var keys: [String: [String]] = [:]

  package init(types: Set<String> = [], tables: Set<String> = []) {
    self.types = types
    self.tables = tables
  }

  /// Creates a filter for a type's table with its join tables.
  package init(_ schema: ObjectSchema) {
    types = [schema.tableName.folded]
    primaries = [schema.tableName.folded: schema.primaryName]
    if !schema.key.isEmpty { keys = [schema.tableName.folded: schema.keyNames] }
  }

  package var isEmpty: Bool { types.isEmpty && tables.isEmpty && !isAllTypes && !isAny }

  /// Whether a recording with this filter contains everything that another filter selects.
  func covers(_ other: ObservationFilter) -> Bool {
    (isAllTypes || !other.isAllTypes) && (isAny || !other.isAny)
      && (isAllTypes || other.types.isSubset(of: types)) && other.tables.isSubset(of: tables)
  }
}

extension ObjectSchema {
  /// The name of the primary column, or an empty string if there is none.
  package var primaryName: String { primary.map { columns[$0].name } ?? "" }

  /// The names of the columns of the key, in its order.
  package var keyNames: [String] { key.map { columns[$0].name } }
}
