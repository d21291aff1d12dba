package import MagicEngine
package import MagicSchema
import Magical

extension EngineReader {
  /// Fetches the next objects of a stream of a query. The result is empty only at the end.
  package func nextPage<Model: MagicObject>(
    of type: Model.Type, _ pages: inout QueryPages, _ loading: RelationshipLoading
  ) throws -> [Model] {
    if let query = try pages.rowIDs(type) {
      var rowIDs: [Int64] = []
      try select(query) { rows in
        for row in 0..<rows.count { rowIDs.append(try Int64.read(from: rows.field(row, 0))) }
      }
      pages.setRowIDs(rowIDs)
    }
    while let (query, rowIDs) = try pages.nextRows(type) {
      let found = try objects(of: type, query, loading)
      // The rows may have been deleted since their row IDs were read.
      if !found.isEmpty { return Self.sorted(found, by: rowIDs) }
    }
    guard let query = try pages.next(type) else { return [] }
    let (objects, last) = try page(of: type, query, loading)
    pages.note(count: objects.count, last: last)
    return objects
  }

  private static func sorted<Model: MagicObject>(
    _ objects: [Model], by rowIDs: [Int64]
  ) -> [Model] {
    var places: [Int64: Int] = [:]
    for (place, object) in objects.enumerated() {
      if let zIndex = object.zIndex { places[zIndex.rawValue] = place }
    }
    return rowIDs.compactMap { places[$0].map { objects[$0] } }
  }
}
