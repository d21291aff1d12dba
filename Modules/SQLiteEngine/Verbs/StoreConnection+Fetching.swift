import MagicEngine
import MagicSQLite
package import MagicSchema
package import Magical
import SQLiteFiles
import SQLiteTables

extension StoreConnection {
  /// Makes the objects of fetched rows, with all they lead to.
  func made<Model: MagicObject>(
    _ type: Model.Type, of chunks: [RowChunk], _ statements: TypeStatements
  ) throws -> [Model] {
    try leadingOn(chunks, statements) { statements.schema.makeObjects(type, from: chunks) }
  }

  /// The same in an order of the caller's, in which a row may come more than once.
  package func made<Model: MagicObject>(
    _ type: Model.Type, of chunks: [RowChunk], _ statements: TypeStatements, in order: [PackedRow]
  ) throws -> [Model] {
    try leadingOn(chunks, statements) { statements.schema.makeObjects(type, at: order[...]) }
  }

  /// Fetches all that rows lead to before the body makes objects of them.
  private func leadingOn<Result>(
    _ chunks: [RowChunk], _ statements: TypeStatements, _ body: () -> Result
  ) throws -> Result {
    let schema = statements.schema
    let reach = try schema.reach.fetched
    guard reach.hasRelationships, !chunks.isEmpty else {
      return withExtendedLifetime(chunks, body)
    }
    if let collection = reach.onlyCollection, chunks.count == 1, chunks[0].rowCount == 1,
      statements.links[collection].exists,
      let target = try self.statements(of: schema.collections[collection].target)
    {
      try Task.checkCancellation()
      _ = try loadMembers(of: chunks[0].row(0), collection, statements, target, nil)
      return withExtendedLifetime(chunks, body)
    }
    var loader = try GraphLoader(schema, store: self)
    try loader.load(chunks, statements)
    // The loader keeps the rows until the objects do.
    return withExtendedLifetime((loader, chunks), body)
  }

  /// Runs reads that belong together on one snapshot; a single one has its own.
  package func consistently<Result>(
    _ schema: ObjectSchema, _ body: () throws -> Result
  ) throws -> Result {
    try schema.reach.fetched.hasRelationships ? connection.snapshot(body) : body()
  }

  /// All objects of a type, in z-index order.
  package func objects<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema
  ) throws -> [Model] {
    try consistently(schema) {
      guard let statements = try statements(of: schema) else { return [] }
      return try objects(of: type, statements, statements.selectAll)
    }
  }

  /// The objects of a statement's rows, with all they lead to.
  func objects<Model: MagicObject>(
    of type: Model.Type, _ statements: TypeStatements, _ select: SQLiteStatement,
    isSingle: Bool = false, row: (SQLiteStatement) -> Void = { _ in }
  ) throws -> [Model] {
    let chunks = try pack(
      select, statements.schema, limit: isSingle ? 1 : .max, row: row
    ).chunks
    return try made(type, of: chunks, statements)
  }

  /// The object of a statement's first row, with all it leads to; nil where there is no row.
  func firstObject<Model: MagicObject>(
    of type: Model.Type, _ statements: TypeStatements, _ select: SQLiteStatement
  ) throws -> Model? {
    let schema = statements.schema
    let chunks = try pack(select, schema, limit: 1).chunks
    return try leadingOn(chunks, statements) {
      chunks.first.map { schema.makeObject(type, from: $0.row(0)) }
    }
  }

  /// Packs the rows of a statement. A row that comes twice, one behind the other, is one instance.
  ///
  /// - Parameter limit: the most rows that are taken.
  /// - Returns: the rows, and how many came.
  private func pack(
    _ select: SQLiteStatement, _ schema: ObjectSchema, limit: Int = .max,
    row: (SQLiteStatement) -> Void = { _ in }
  ) throws -> (chunks: [RowChunk], count: Int) {
    defer { select.reset() }
    var packer = RowPacker(schema: schema, store: self, isSingle: limit == 1)
    var cancellation = CancellationCheck()
    var last: Int64?
    var count = 0
    while try select.step() {
      let zIndex = select.column(0).integer
      if zIndex != last { try packer.append(select) }
      last = zIndex
      row(select)
      count += 1
      if count == limit { break }
      try cancellation.count()
    }
    return (packer.takeChunks(), count)
  }

  /// The owners whose relationship leads to a row, in z-index order, behind one of them.
  ///
  /// - Returns: the owners, and whether there may be more.
  package func owners<Model: MagicObject>(
    _ type: Model.Type, _ schema: ObjectSchema, of target: ZIndex, along property: PropertySchema,
    behind last: Int64?, limit: Int
  ) throws -> (owners: [Model], isPart: Bool) {
    if last == nil { diagnostics?.noteLookUp(of: schema, along: property) }
    return try consistently(schema) {
      guard let statements = try statements(of: schema) else { return ([], false) }
      let select = try statements.selectOwners(along: property)
      try select.bind(target.rawValue, at: 1)
      try select.bind(last ?? Int64.min, at: 2)
      try select.bind(Int64(limit), at: 3)
      let (chunks, count) = try pack(select, schema)
      return (try made(type, of: chunks, statements), count == limit)
    }
  }

  /// How many owners' relationship leads to a row.
  package func countOwners(
    of target: ZIndex, along property: PropertySchema, _ schema: ObjectSchema
  ) throws -> Int {
    diagnostics?.noteLookUp(of: schema, along: property)
    guard let statements = try statements(of: schema) else { return 0 }
    let count = try statements.countOwners(along: property)
    defer { count.reset() }
    try count.bind(target.rawValue, at: 1)
    return try count.step() ? Int(count.column(0).integer) : 0
  }

  /// The first object in z-index order that the body accepts; nil where there is none. All pages
  /// are of one snapshot.
  ///
  /// No statement is under way while the body runs: it may read on this connection itself.
  package func first<Model: MagicObject>(
    of type: Model.Type, _ schema: ObjectSchema, where accepts: (Model) throws -> Bool
  ) throws -> Model? {
    try connection.snapshot {
      var last: Int64?
      var limit = 64
      while last != .max {
        try Task.checkCancellation()
        guard let statements = try statements(of: schema) else { return nil }
        let select = try statements.selectRange
        try select.bind(last.map { $0 + 1 } ?? .min, at: 1)
        try select.bind(Int64.max, at: 2)
        let (chunks, count) = try pack(select, schema, limit: limit) {
          last = $0.column(0).integer
        }
        let objects = try made(type, of: chunks, statements)
        let found = try pausing { try objects.first(where: accepts) }
        if found != nil || count < limit { return found }
        try pin?.requireKept()
        // What the objects lead to comes with every page, the same maybe.
        if try schema.reach.fetched.hasRelationships { limit *= 4 }
      }
      return nil
    }
  }

  /// The object with a primary value; nil where there is none.
  package func object<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primary: Primary
  ) throws -> Model? {
    diagnostics?.noteLookUp(of: schema)
    return try consistently(schema) {
      guard let statements = try statements(of: schema) else { return nil }
      let select = try statements.selectByPrimary
      try bind(primary, to: select, schema)
      return try firstObject(of: type, statements, select)
    }
  }

  /// The objects with the given primary values, in their order, those that exist. One snapshot.
  package func objects<Model: MagicObject, Primary: MagicalPrimaryValue>(
    of type: Model.Type, _ schema: ObjectSchema, primaries: [Primary]
  ) throws -> [Model] {
    try connection.snapshot {
      guard let statements = try statements(of: schema) else { return [] }
      let select = try statements.selectByPrimary
      defer { select.reset() }
      var packer = RowPacker(schema: schema, store: self)
      // A row that is asked for twice is one instance.
      var positions: [Int64: Int] = [:]
      var order: [Int] = []
      var cancellation = CancellationCheck()
      for primary in primaries {
        try cancellation.count()
        try bind(primary, to: select, schema)
        if try select.step() {
          let zIndex = select.column(0).integer
          if let position = positions[zIndex] {
            order.append(position)
          } else {
            order.append(positions.count)
            positions[zIndex] = positions.count
            try packer.append(select)
          }
        }
        select.reset()
      }
      let objects = try made(type, of: packer.takeChunks(), statements)
      return objects.count == order.count ? objects : order.map { objects[$0] }
    }
  }

  package func has<Primary: MagicalPrimaryValue>(
    _ schema: ObjectSchema, primary: Primary
  ) throws -> Bool {
    diagnostics?.noteLookUp(of: schema)
    guard let statements = try statements(of: schema) else { return false }
    let select = try statements.hasPrimary
    defer { select.reset() }
    try bind(primary, to: select, schema)
    return try select.step()
  }

  private func bind<Primary: MagicalPrimaryValue>(
    _ primary: Primary, to statement: SQLiteStatement, _ schema: ObjectSchema
  ) throws {
    arena.reset()
    do {
      var writer = ParameterWriter(statement: statement, index: 1, arena: arena)
      try primary.write(to: &writer)
    } catch let error as MagicalError {
      throw MagicError(error, schema: schema, column: schema.columns[schema.primary ?? 0], row: nil)
    }
  }
}

extension ObjectSchema {
  /// - Throws: `MagicError` with `.missingPrimary` or
  ///   `.wrongType`.
  package func checkPrimary(_ type: (some MagicalPrimaryValue).Type) throws {
    guard let primary else {
      throw MagicError(
        .missingPrimary, "The type has no @PrimaryMagicValue.", type: typeName)
    }
    let column = columns[primary]
    guard column.valueType == type else {
      throw MagicError(
        .wrongType, "The primary's type is \(column.valueType), not \(type).", type: typeName,
        property: column.property)
    }
  }
}
