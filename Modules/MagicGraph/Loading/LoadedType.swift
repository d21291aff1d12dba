import MagicEngine
import MagicSchema

/// The rows of one type in a fetch of several types.
final class LoadedType {
  let schema: ObjectSchema
  /// The graph that owns the rows; nil if their type is in no cycle of relationships.
  let graph: RowGraph?
  @exclusivity(unchecked) private(set) var rowIndex = RowIndex()
  @exclusivity(unchecked) private(set) var rows: [PackedRow] = []
  /// Retains the rows until the rows that refer to them retain them.
  @exclusivity(unchecked) private var chunks: [RowChunk] = []
  /// For each to-one relationship, and then for each collection, a number n: the relationship is
  /// loaded for the first n of ``rows``.
  @exclusivity(unchecked) var loadedRowCounts: [Int]
  /// Whether the type has relationships that are loaded with its rows.
  private let hasRelationships: Bool

  init(_ schema: ObjectSchema, graph: RowGraph?) {
    self.schema = schema
    self.graph = graph
    loadedRowCounts = Array(repeating: 0, count: schema.toOnes.count + schema.collections.count)
    if schema.hasLazies {
      // Lazy relationships are not loaded.
      let relationships: [PropertySchema] = schema.toOnes.map(\.schema) + schema.collections
      for index in loadedRowCounts.indices where relationships[index].isLazy {
        loadedRowCounts[index] = .max
      }
    }
    hasRelationships = loadedRowCounts.contains(0)
  }

  /// Marks a relationship of the rows as not loaded. Rows that are added later have it.
  func exclude(_ relationship: Int) {
    let toOnes = schema.toOnes
    for row in rows {
      if relationship < toOnes.count {
        toOnes[relationship].schema.exclude(toOnes[relationship].column, of: row)
      } else {
        let index = relationship - toOnes.count
        row.fill(schema.columns.count + index, schema.collections[index].makeExcludedBox())
      }
    }
    loadedRowCounts[relationship] = rows.count
  }

  func add(_ chunks: [RowChunk]) {
    let count = chunks.reduce(0) { $0 + $1.rowCount }
    rowIndex.reserve(count)
    self.chunks += chunks
    if hasRelationships { rows.reserveCapacity(rows.count + count) }
    for chunk in chunks {
      for index in 0..<chunk.rowCount {
        let row = chunk.row(index)
        rowIndex.insert(row)
        if hasRelationships { rows.append(row) }
      }
    }
  }
}
