import Foundation
package import MagicEngine
import MagicPostgreSQL
import MagicSQLText
package import MagicSchema
import Magical
import PostgreSQLQueries
import PostgreSQLTables

/// Runs raw statements, in the dialect of PostgreSQL.
extension PostgreSQLReader {
  package func check(_ statement: RawStatement) throws { try statement.checkForPostgreSQL() }

  package func read(
    _ statement: RawStatement, _ model: ObjectSchema?, limit: Int,
    _ use: (StatementRows) throws -> Void
  ) throws {
    let result = try reading {
      try session.run(try textForReading(statement, model), statement, isWriting: isWriting)
    }
    try readBatches(of: result, limit: limit) { rows, firstRow in
      try use(StatementRows(rows, firstRow: firstRow) { result.columnName($0) })
    }
  }

  /// Runs a statement that the server may not let write.
  private func reading(_ body: () throws -> PostgreSQLResult) throws -> PostgreSQLResult {
    try Task.checkCancellation()
    do {
      guard isWriting || hasSnapshot else { return try inSnapshot(body) }
      // A failed statement, and the mode, end with the savepoint.
      return try session.withSetting(Self.forbidWriting, body)
    } catch let error as MagicError
      where (error.cause as? PostgreSQLError)?.sqlState == "25006"
    {
      throw WritingStatement()
    }
  }

  private static let avoidScans = PostgreSQLStatement(
    "SET LOCAL enable_seqscan TO off", runsOnce: true)
  private static let forbidWriting = PostgreSQLStatement(
    "SET LOCAL transaction_read_only TO on", runsOnce: true)

  /// Returns the text for a read. A WITH clause defines an empty common table expression for each
  /// missing table under the table's name.
  private func textForReading(
    _ statement: RawStatement, _ model: ObjectSchema?
  ) throws -> String {
    try check(statement)
    let text = try statement.qualifiedText(dialect: .postgreSQL)
    var schemas = statement.schemas
    if let model, !schemas.contains(where: { $0 === model }) { schemas.append(model) }
    var expressions: [String] = []
    for schema in schemas where try statements(of: schema) == nil {
      let table = try session.queryTable(of: schema)
      expressions.append("\(schema.tableName.quoted) AS \(table.source)")
      for (column, links) in zip(schema.collections, table.links) where column.through == nil {
        let name = column.joinTable(of: schema).quoted
        if text.range(of: name) != nil { expressions.append("\(name) AS \(links.source)") }
      }
    }
    guard !expressions.isEmpty else { return text }
    guard let point = WithClause.InsertionPoint(in: text, dialect: .postgreSQL) else {
      if statement.changesRows { throw WritingStatement() }
      return text
    }
    return RawStatement.text(text, with: expressions, at: point)
  }

  package func plan(of query: PreparedQuery) throws -> StatementPlan {
    let statement = try session.statement(for: query)
    guard statement.rendered.isLasting else {
      return StatementPlan(sql: statement.rendered.sql, steps: [], suggestions: [])
    }
    return try explaining {
      try session.bind(query.values, to: statement, isWriting: isWriting)
      return try session.explain(statement.rendered.sql, statement.statement.types, query.schema)
    }
  }

  package func plan(of statement: RawStatement) throws -> StatementPlan {
    let text = try textForReading(statement, nil)
    return try explaining {
      let numbered = try NumberedStatement(text, statement)
      let types = try session.bind(numbered.arguments, isWriting: isWriting)
      return try translatingSQLErrors {
        try session.explain(numbered.sql(types), types.map { $0 ?? .text }, nil)
      }
    }
  }

  /// Lets the server plan statements without scans of whole tables, where it can use an index. For
  /// small tables, it would scan them although there is an index.
  private func explaining(_ body: () throws -> StatementPlan) throws -> StatementPlan {
    try inSnapshot { try session.withSetting(Self.avoidScans, body) }
  }
}

extension EngineSession {
  /// Runs a raw statement.
  ///
  /// - Parameter text: the text of the statement, with its parameters.
  func run(
    _ text: String, _ raw: RawStatement, isWriting: Bool
  ) throws -> PostgreSQLResult {
    let numbered = try NumberedStatement(text, raw)
    let types = try bind(numbered.arguments, isWriting: isWriting)
    // A change of the tables could make a prepared statement invalid.
    let statement = PostgreSQLStatement(
      numbered.sql(types), types.map { $0 ?? .text }, runsOnce: true)
    return try translatingSQLErrors { try connection.run(statement, fields) }
  }

  /// Makes the arguments of a raw statement the parameters of the next statement, and returns their
  /// types; nil for NULL.
  func bind(_ arguments: [RawArgument], isWriting: Bool) throws -> [PostgreSQLType?] {
    fields.removeAll()
    return try arguments.enumerated().map { index, argument in
      switch argument {
      case .null:
        fields.appendNull()
        return nil
      case .object(let object):
        fields.append(integer: try rowID(of: object, isWriting))
        return .bigint
      case .value(let value): return try append(value, index + 1)
      }
    }
  }

  private func append(_ value: any Magical & Sendable, _ number: Int) throws -> PostgreSQLType? {
    if let bool = value as? Bool {
      fields.append(boolean: bool)
      return .boolean
    }
    if let uuid = value as? UUID {
      withUnsafeBytes(of: uuid.uuid) { fields.append(bytes: $0) }
      return .uuid
    }
    var writer = TypedWriter(writer: ParameterWriter(fields))
    do {
      try value.write(to: &writer)
    } catch let error as MagicalError {
      throw MagicError(.cannotEncode, "Value \(number) of the SQL: \(error).", cause: error)
    } catch {
      // The error of a custom type may contain the value, so only the error's type is reported.
      throw MagicError(
        .cannotEncode, "Value \(number) of the SQL: \(Swift.type(of: error)).",
        cause: MagicalError.cannotEncode("\(Swift.type(of: error))"))
    }
    if writer.type == nil { fields.appendNull() }
    return writer.type
  }
}

/// A writer that appends one value and notes its type.
private struct TypedWriter: MagicalWriter {
  let writer: ParameterWriter
  private(set) var type: PostgreSQLType?

  init(writer: ParameterWriter) { self.writer = writer }

  mutating func write(integer: Int64) {
    type = .bigint
    writer.write(integer: integer)
  }

  mutating func write(real: Double) {
    type = .float8
    writer.write(real: real)
  }

  mutating func write(text: UnsafeRawBufferPointer) {
    type = .text
    writer.write(text: text)
  }

  mutating func write(blob: UnsafeRawBufferPointer) {
    type = .bytea
    writer.write(blob: blob)
  }
}

/// Runs a body and converts errors about the user's SQL into `MagicError` with `.invalidQuery`.
private func translatingSQLErrors<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as PostgreSQLError {
    let isAboutSQL =
      error.sqlClass == "42" && error.sqlState != "42501"
      || ["08P01", "0A000", "2201B", "22P02", "26000", "3F000"].contains(error.sqlState)
    guard isAboutSQL else { throw MagicError(error) }
    throw MagicError(.invalidQuery, "Invalid SQL: \(error.message).", cause: error)
  }
}
