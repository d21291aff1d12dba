package import MagicEngine
package import MagicSchema
import SQLiteChanges
package import SQLiteEngine
import MagicSQLite
import SQLiteQueries

/// The regions that queries read.
extension StoreConnection {
  /// Returns the region that a query reads. A table that does not exist yet is included entirely.
  package func region(of query: PreparedQuery) throws -> ReadRegion {
    try connection.snapshot {
      let rendered = try rendered(query)
      var region = ReadRegion()
      for schema in rendered.incompleteTypes { region.insert(schema, isLoaded: false) }
      region.formUnion(try self.region(of: rendered.sql))
      return region
    }
  }

  /// Returns the region that a query for objects reads, with all rows that the objects refer to.
  package func region(
    ofObjectsOf query: PreparedQuery, excluding excluded: Set<Int>
  ) throws -> ReadRegion {
    var region = try region(of: query)
    region.insertLinks(of: query.schema, isLoaded: true, excluding: excluded)
    let loaded = try query.schema.loadedTypes(excluding: excluded)
    for schema in loaded { region.insert(schema, isLoaded: true) }
    if !loaded.contains(where: { $0 === query.schema }) {
      region.setRoot(
        query.schema.tableName, decidedBy: try self.region(of: query.with(.rowIDs)))
    }
    return region
  }

  /// Returns the region that a raw statement reads. A type's table that does not exist yet is
  /// included entirely.
  ///
  /// - Parameter model: the type of the objects that the statement returns; nil for other values.
  package func region(
    of statement: RawStatement, _ model: ObjectSchema?
  ) throws -> ReadRegion {
    try check(statement)
    var region = try translatingSQLErrors {
      var region = ReadRegion()
      for schema in statement.schemas where try !hasAllTables(of: schema) {
        region.insert(schema, isLoaded: false)
      }
      guard let text = try statement.text(forReadingOn: self, statement.schemas) else {
        throw MagicError.writesInRead
      }
      region.formUnion(try self.region(of: text))
      return region
    }
    for schema in try model.map({ [$0] + (try $0.loadedTypes) }) ?? [] {
      region.insert(schema, isLoaded: true)
    }
    return region
  }
}
