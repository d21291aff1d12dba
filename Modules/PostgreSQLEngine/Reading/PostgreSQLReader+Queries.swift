package import MagicEngine
import MagicPostgreSQL
package import MagicSchema
import Magical
import PostgreSQLQueries
import PostgreSQLSearch
import PostgreSQLTables

/// Runs queries.
extension PostgreSQLReader {
  /// The maximum size of a batch: a number of rows, or a number of bytes. The first limit that is
  /// reached ends the batch.
  private static var batchRows: Int { 128 }
  private static var batchBytes: Int { 64 * 1024 }

  func run(_ query: PreparedQuery) throws -> PostgreSQLResult {
    try Task.checkCancellation()
    return try session.run(query, isWriting: isWriting)
  }

  package func textSplitter(of schema: ObjectSchema) throws -> any TextSplitter {
    guard let definition = SearchDefinition(schema) else {
      throw MagicError.nothingSearchable(schema)
    }
    return try definition.splitter()
  }

  /// Fetches the rows of a query for objects or for a page of objects.
  func fetch(
    _ query: PreparedQuery, _ statements: TypeStatements, _ graph: RowGraph?,
    isWanted: ((Int64) -> Bool)?
  ) throws -> FetchedRows {
    let result = try run(query)
    defer { withExtendedLifetime(result) {} }
    var packer = packer(for: query.schema, graph)
    let count = try pack(result, statements, into: &packer, isWanted: isWanted)
    digest?.add(count)
    var last: [QueryValue] = []
    if case .page = query.result, count > 0, count == query.plan.limit {
      let start = 1 + query.schema.columns.count
      last = (start..<start + query.plan.selection.count).map { column in
        session.texts.removeAll()
        return QueryValue(
          ResultColumn(
            result.value(result.count - 1, column), result.type(column), session.texts))
      }
    }
    return FetchedRows(packer.takeChunks(), count: count, last: last)
  }

  package func select(_ query: PreparedQuery, _ use: (FieldRows) throws -> Void) throws {
    guard try query.plan.combined != nil || hasTable(of: query.schema) else { return }
    try readBatches(of: try run(query)) { rows, _ in try use(rows) }
  }

  /// Copies the rows of a result and calls a closure with batches of them. There is at least one
  /// batch, which may be empty.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows.
  ///   - use: called with each batch and the number of its first row, from 1.
  func readBatches(
    of result: PostgreSQLResult, limit: Int = .max,
    _ use: (_ rows: FieldRows, _ firstRow: Int) throws -> Void
  ) throws {
    defer { withExtendedLifetime(result) {} }
    let width = result.columnCount
    let readers = (0..<width).map { ColumnReader(result.type($0)) }
    let values = FieldBuffer()
    var cancellation = CancellationCheck()
    let end = min(result.count, max(0, limit))
    var firstRow = 0
    repeat {
      var row = firstRow
      while row < end, row - firstRow < Self.batchRows,
        values.byteCount + values.count * MemoryLayout<Field>.stride < Self.batchBytes
      {
        try cancellation.count()
        session.texts.removeAll()
        let start = values.append(width)
        for (column, reader) in readers.enumerated() {
          let field = try reader.field(of: result.value(row, column), values, session.texts)
          values.set(field, at: start + column)
        }
        if let digest {
          for column in 0..<width { digest.add(FieldReader(values, at: start + column)) }
        }
        row += 1
      }
      try use(FieldRows(values, width: width, count: row - firstRow), firstRow + 1)
      firstRow = row
      values.removeAll()
    } while firstRow < end
  }
}

extension ResultDigest {
  /// Adds a value.
  fileprivate func add(_ value: FieldReader) {
    switch value.storageClass {
    case .integer: add(integer: value.integer)
    case .real: add(real: value.real)
    case .text: add(text: value.bytes)
    case .blob: add(blob: value.bytes)
    case nil: addNull()
    }
  }
}

extension QueryValue {
  /// The value of a column.
  init(_ column: ResultColumn) {
    switch column.kind {
    case .null: self = .null
    case .integer: self = .integer(column.integer)
    case .real: self = .real(column.real)
    case .text: self = .text(String(decoding: column.textBytes, as: UTF8.self))
    case .blob: self = .blob(Array(column.blobBytes))
    }
  }
}

// MARK: - Regions

extension PostgreSQLReader {
  package func region(of query: PreparedQuery) throws -> ReadRegion {
    var region = ReadRegion()
    let rendered = try session.statement(for: query).rendered
    // A condition in SQL may read other tables.
    region.isAny = rendered.hasFragment
    for schema in rendered.types {
      region.insert(schema, isLoaded: false)
    }
    return region
  }

  package func region(
    ofObjectsOf query: PreparedQuery, excluding excluded: Set<Int>
  ) throws -> ReadRegion {
    var region = try region(of: query)
    region.insertLinks(of: query.schema, isLoaded: true, excluding: excluded)
    for schema in try query.schema.loadedTypes(excluding: excluded) {
      region.insert(schema, isLoaded: true)
    }
    return region
  }

  /// Returns a region that every commit may change: the tables behind views and functions are
  /// unknown.
  package func region(of statement: RawStatement, _ model: ObjectSchema?) throws -> ReadRegion {
    try check(statement)
    return Self.anything
  }
}
