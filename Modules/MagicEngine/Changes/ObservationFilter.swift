package import MagicSchema

/// What an observer observes. Tables go by their folded names.
package struct ObservationFilter: Sendable, Equatable {
  /// Types' tables with their links, row by row.
  package var types: Set<String> = []
  /// Tables as such, whatever they are.
  package var tables: Set<String> = []
  /// Whether all types' tables are meant.
  package var isAllTypes = false
  /// Whether every commit may matter.
  package var isAny = false

  /// What the primaries of types are called, by their tables; empty for a type without.
  package var primaries: [String: String] = [:]

  package init(types: Set<String> = [], tables: Set<String> = []) {
    self.types = types
    self.tables = tables
  }

  /// A type's table with its links.
  package init(_ schema: ObjectSchema) {
    types = [schema.tableName.folded]
    primaries = [schema.tableName.folded: schema.primaryName]
  }

  package var isEmpty: Bool { types.isEmpty && tables.isEmpty && !isAllTypes && !isAny }

  /// Whether a recording with this filter has all that another filter selects.
  func covers(_ other: ObservationFilter) -> Bool {
    (isAllTypes || !other.isAllTypes) && (isAny || !other.isAny)
      && (isAllTypes || other.types.isSubset(of: types)) && other.tables.isSubset(of: tables)
  }
}

extension ObjectSchema {
  /// What the column of the primary is called; empty where there is none.
  package var primaryName: String { primary.map { columns[$0].name } ?? "" }
}
