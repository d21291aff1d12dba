import MagicEngine
import MagicSchema
import MagicSQLite

/// Fetches what fetched rows lead to: for each relationship and level one query for the rows, and
/// for a collection one for the links before it, however many owners there are. No row is asked
/// for twice.
struct GraphLoader {
  let store: StoreConnection
  let graph: RowGraph?
  private var types: [LoadedType] = []

  init(_ root: ObjectSchema, store: StoreConnection) throws {
    self.store = store
    graph = try root.reach.fetched.reachesCycle ? RowGraph() : nil
  }

  /// Fetches all that the rows lead to, and joins them.
  mutating func load(_ chunks: [RowChunk], _ statements: TypeStatements) throws {
    try loaded(statements).add(chunks)
    if let graph, types[0].graph != nil { for chunk in chunks { chunk.join(graph) } }
    var isDone = false
    while !isDone {
      isDone = true
      var index = 0
      // The list grows as types are met.
      while index < types.count {
        if try loadRelationships(of: types[index]) { isDone = false }
        index += 1
      }
    }
  }

  /// - Returns: whether there was anything to load.
  private mutating func loadRelationships(of owner: LoadedType) throws -> Bool {
    var found = false
    for relationship in owner.done.indices where owner.done[relationship] < owner.rows.count {
      found = true
      try Task.checkCancellation()
      if relationship < owner.schema.toOnes.count {
        try loadToOne(relationship, of: owner)
      } else {
        try loadCollection(relationship - owner.schema.toOnes.count, of: owner)
      }
    }
    return found
  }

  func known(_ schema: ObjectSchema) -> LoadedType? { types.first { $0.schema === schema } }

  /// The rows of a type so far; nil for a type without a table, of which there are none.
  mutating func type(_ schema: ObjectSchema) throws -> LoadedType? {
    if let known = known(schema) { return known }
    return try store.statements(of: schema).map { try loaded($0) }
  }

  private mutating func loaded(_ statements: TypeStatements) throws -> LoadedType {
    let type = LoadedType(
      statements, graph: try statements.schema.reach.fetched.isCyclic ? graph : nil)
    types.append(type)
    return type
  }

  /// Fetches rows of a type that are not known yet.
  func fetch(_ unknown: RowList, of type: LoadedType) throws {
    let zIndexes = unknown.rowIDs
    guard !zIndexes.isEmpty else { return }
    let statements = type.statements
    let select = try unknown.bound(
      .row,
      one: { try statements.selectOne }, range: { try statements.selectRange },
      listed: { try statements.selectListed })
    var next = 0
    try pack(select, into: type, isSingle: zIndexes.count == 1) {
      unknown.contains($0, from: &next)
    }
  }

  /// Packs the rows of a statement that are wanted.
  func pack(
    _ select: SQLiteStatement, into type: LoadedType, isSingle: Bool = false,
    isWanted: (Int64) -> Bool
  ) throws {
    defer { select.reset() }
    var packer = RowPacker(
      schema: type.schema, store: store, graph: type.graph, isSingle: isSingle)
    var cancellation = CancellationCheck()
    while try select.step() {
      if isWanted(select.column(0).integer) { try packer.append(select) }
      try cancellation.count()
    }
    type.add(packer.takeChunks())
  }
}
