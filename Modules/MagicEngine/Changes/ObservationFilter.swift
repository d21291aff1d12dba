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
  /// The join types of the collections through one, by table, for the types that have some.
  package var joinTypes: [String: [ObservedJoinType]] = [:]

  package init(types: Set<String> = [], tables: Set<String> = []) {
    self.types = types
    self.tables = tables
  }

  /// Creates a filter for a type's table with its join tables.
  package init(_ schema: ObjectSchema) {
    types = [schema.tableName.folded]
    primaries = [schema.tableName.folded: schema.primaryName]
    if !schema.key.isEmpty { keys = [schema.tableName.folded: schema.keyNames] }
    let joinTypes = schema.observedJoinTypes
    if !joinTypes.isEmpty { self.joinTypes = [schema.tableName.folded: joinTypes] }
  }

  package var isEmpty: Bool { types.isEmpty && tables.isEmpty && !isAllTypes && !isAny }

  /// Whether a recording with this filter contains everything that another filter selects.
  func covers(_ other: ObservationFilter) -> Bool {
    (isAllTypes || !other.isAllTypes) && (isAny || !other.isAny)
      && (isAllTypes || other.types.isSubset(of: types)) && other.tables.isSubset(of: tables)
  }
}

/// A collection through a join type, as observers need it: a change of a join object is a change of
/// its owner.
package struct ObservedJoinType: Sendable, Equatable {
  /// The name of the collection.
  package let property: String
  /// The table of the join type.
  package let table: String
  /// The column that refers to the owner.
  package let owner: String
  /// The columns of the member and of the order.
  package let others: [String]
}

extension ObjectSchema {
  /// The join types of the collections through one. Empty if they cannot be resolved, which each use
  /// of the type reports.
  package var observedJoinTypes: [ObservedJoinType] {
    collections.compactMap { collection in
      guard let join = try? collection.joinType else { return nil }
      let columns = join.schema.columns
      return ObservedJoinType(
        property: collection.name, table: join.schema.tableName, owner: columns[join.owner].name,
        others: [columns[join.target].name] + (join.order.map { [columns[$0].name] } ?? []))
    }
  }

  /// The name of the primary column, or an empty string if there is none.
  package var primaryName: String { primary.map { columns[$0].name } ?? "" }

  /// The names of the columns of the key, in its order.
  package var keyNames: [String] { key.map { columns[$0].name } }
}
