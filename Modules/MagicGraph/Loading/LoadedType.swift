import MagicEngine
import MagicSchema

/// The rows of one type in a fetch of several.
final class LoadedType {
  let schema: ObjectSchema
  /// What the rows become a part of, where their type can refer back to itself.
  let graph: RowGraph?
  @exclusivity(unchecked) private(set) var directory = RowDirectory()
  @exclusivity(unchecked) private(set) var rows: [PackedRow] = []
  /// Keeps the rows until what refers to them does.
  @exclusivity(unchecked) private var chunks: [RowChunk] = []
  /// For each to-one, then each collection: the rows before this one have theirs.
  @exclusivity(unchecked) var done: [Int]
  /// Whether the rows come with others.
  private let hasRelationships: Bool

  init(_ schema: ObjectSchema, graph: RowGraph?) {
    self.schema = schema
    self.graph = graph
    done = Array(repeating: 0, count: schema.toOnes.count + schema.collections.count)
    if schema.hasLazies {
      // They are done before they begin.
      let relationships: [PropertySchema] = schema.toOnes.map(\.schema) + schema.collections
      for index in done.indices where relationships[index].isLazy { done[index] = .max }
    }
    hasRelationships = done.contains(0)
  }

  func add(_ chunks: [RowChunk]) {
    let count = chunks.reduce(0) { $0 + $1.rowCount }
    directory.reserve(count)
    self.chunks += chunks
    if hasRelationships { rows.reserveCapacity(rows.count + count) }
    for chunk in chunks {
      for index in 0..<chunk.rowCount {
        let row = chunk.row(index)
        directory.insert(row)
        if hasRelationships { rows.append(row) }
      }
    }
  }
}
