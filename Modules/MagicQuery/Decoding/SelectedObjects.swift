import MagicEngine
import MagicGraph
import MagicSchema
import MagicStore

/// The rows of a selection, and the objects that some of its columns contain as row IDs.
package struct SelectedRows {
  let fields: FieldRows
  /// The loaded objects of each column that contains row IDs: ``LoadedObjects``. Empty if no column
  /// does.
  var objects: [AnyObject?] = []

  package init(fields: FieldRows, objects: [AnyObject?] = []) {
    self.fields = fields
    self.objects = objects
  }

  func field(_ row: Int, _ column: Int) -> FieldReader { fields.field(row, column) }

  /// Returns the object whose row ID is in a column of objects.
  func object<Object: MagicObject>(
    _ type: Object.Type, _ row: Int, _ column: Int
  ) throws -> Object {
    guard let loaded = objects[column] as? LoadedObjects<Object>,
      let object = loaded.object(field(row, column).integer)
    else {
      throw MagicError(
        .cannotDecode, "A selected relationship refers to no object.",
        type: String(describing: type))
    }
    return object
  }
}

/// Objects in the order of their row IDs.
final class LoadedObjects<Object: MagicObject> {
  private let rowIDs: [Int64]
  private let objects: [Object]

  init(_ rows: RowIDSet, on reader: any EngineReader) throws {
    (rowIDs, objects) = try reader.objects(
      of: Object.self, ObjectSchema.of(Object.self), rows: rows)
  }

  /// - Complexity: O(log n)
  func object(_ rowID: Int64) -> Object? {
    let index = RowIDSet.insertionIndex(of: rowID, in: rowIDs)
    return index < rowIDs.count && rowIDs[index] == rowID ? objects[index] : nil
  }
}

/// A column of a selection that contains the row IDs of objects.
package struct ObjectColumn: Sendable {
  /// The type of the objects.
  let type: ObjectIdentifier
  /// Loads the objects with some row IDs: ``LoadedObjects``.
  let load: @Sendable (RowIDSet, any EngineReader) throws -> AnyObject
  /// Returns the query for all objects of the type.
  private let query: @Sendable () throws -> PreparedQuery

  init<Object: MagicObject>(_ type: Object.Type) {
    self.type = ObjectIdentifier(type)
    load = { try LoadedObjects<Object>($0, on: $1) }
    query = { try PreparedQuery(Object.self, QueryDescription(), .objects) }
  }

  /// The region of the objects.
  func region(on reader: any EngineReader) throws -> ReadRegion {
    var region = try reader.region(ofObjectsOf: query(), excluding: [])
    region.root = nil
    return region
  }
}

extension [ObjectColumn?] {
  /// Loads the objects of rows. The objects of columns of one type are loaded together.
  package func load(_ rows: FieldRows, on reader: any EngineReader) throws -> [AnyObject?] {
    var rowIDs: [ObjectIdentifier: [Int64]] = [:]
    for (column, objects) in enumerated() {
      guard let objects else { continue }
      var found = rowIDs.removeValue(forKey: objects.type) ?? []
      for row in 0..<rows.count where !rows.field(row, column).isNull {
        found.append(rows.field(row, column).integer)
      }
      rowIDs[objects.type] = found
    }
    var loaded: [ObjectIdentifier: AnyObject] = [:]
    return try map { objects in
      guard let objects else { return nil }
      let key = objects.type
      if let known = loaded[key] { return known }
      let made = try objects.load(RowIDSet(rowIDs[key] ?? []), reader)
      loaded[key] = made
      return made
    }
  }
}
