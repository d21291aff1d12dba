import MagicEngine
import MagicRuntime
import MagicSchema

/// An element of JSON with which a row is combined.
struct JoinedElement {
  let bytes: StoredBytes
  /// The place of the element in the bytes.
  let place: Int

  var json: UnsafeRawBufferPointer? { JSONScanner.element(at: place, in: bytes.bytes) }
}

extension QueryCompiler {
  /// Adds the source with whose rows each row of the query is combined.
  ///
  /// - Returns: The combinations of a row.
  mutating func join(_ join: RowJoin) throws -> (StoredRow) throws -> [QueryFrame] {
    switch join.source {
    case .rows(let schema):
      let table = try table(of: schema)
      scopes.append(Scope(ids: [join.scope], schema: schema, isJoined: true))
      let rows = table.map { Array($0.rows.values) } ?? []
      return { row in rows.map { QueryFrame(rows: [row, $0]) } }
    case .elements(let json):
      let json = try compile(json)
      joinedElements = join.scope
      return { row in
        let frame = QueryFrame(rows: [row])
        guard let bytes = try json(frame).stored else { return [] }
        var found: [QueryFrame] = []
        var place = JSONScanner.element(after: nil, in: bytes.bytes)
        while let start = place {
          found.append(
            QueryFrame(rows: [row], element: JoinedElement(bytes: bytes, place: start)))
          place = JSONScanner.element(after: start, in: bytes.bytes)
        }
        return found
      }
    }
  }
}
