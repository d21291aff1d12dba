import MagicPostgreSQL
package import MagicRequests
package import MagicSchema

extension QueryRenderer {
  /// Returns the SQL of an expression of an index, whose constants are literals.
  ///
  /// - Parameter table: the table of the type as queries read it.
  package static func definition(
    of expression: IndexedExpression, isCondition: Bool, _ schema: ObjectSchema,
    _ table: QueryTable
  ) throws -> String {
    let values = expression.expression.values
    var renderer = QueryRenderer(kinds: values.map { ValueKind($0) }, computesDepths: false) { _ in
      throw MagicError.malformedQuery
    }
    renderer.literals = values
    renderer.scopes = [
      RowScope(ids: [], schema: schema, table: table, alias: schema.tableName.quoted)
    ]
    let term = try renderer.term(expression.expression)
    return isCondition ? renderer.condition(term).text : renderer.typed(term).text
  }

  /// Returns a value as a literal of a type.
  static func literal(_ value: QueryValue, _ type: PostgreSQLType) throws -> String {
    switch (value, type) {
    case (.integer(let integer), .boolean): integer == 0 ? "false" : "true"
    case (.integer(let integer), .float8): "'\(integer)'::double precision"
    case (.integer(let integer), _): "'\(integer)'::bigint"
    case (.real(let real), _): "'\(real)'::double precision"
    case (.text(let text), .uuid): "\(text.literal)::uuid"
    case (.text(var text), _):
      "(\(text.withUTF8 { PostgreSQLText.stored(UnsafeRawBufferPointer($0)) }.literal) COLLATE \"C\")"
    case (.blob(let bytes), _):
      "'\\x\(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())'::bytea"
    default: throw MagicError.malformedQuery
    }
  }
}

extension PostgreSQLText {
  /// Returns the stored form of a text.
  fileprivate static func stored(_ text: UnsafeRawBufferPointer) -> String {
    var bytes: [UInt8] = []
    escape(text) { bytes.append($0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
