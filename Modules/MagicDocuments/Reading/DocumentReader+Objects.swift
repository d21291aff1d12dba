import MagicEngine
import MagicExchange
import MagicRuntime
import MagicSchema

/// Objects of a document that no other object contains.
extension DocumentReader {
  /// Reads the objects that would be nested too deep.
  func readObjects(
    _ json: UnsafeRawBufferPointer, below schema: ObjectSchema, _ path: DocumentPath
  ) throws {
    if types.isEmpty { try findTypes(from: schema) }
    var index = 0
    let isComplete = try JSONScanner.forEachElement(of: json) { element in
      let place = path.index(index)
      index += 1
      guard
        let name = Self.member(element, "$type").flatMap(JSONText.quoted)
          .flatMap(JSONText.string),
        let schema = types[name]
      else {
        throw place.key("$type").error(.wrongType, "it is not the name of a table of the document")
      }
      _ = try member(element, of: schema, at: ReadPlace(path: place))
    }
    guard isComplete else { throw path.error(.wrongType, "it is not an array") }
  }

  private static func member(
    _ json: UnsafeRawBufferPointer, _ key: String
  ) -> UnsafeRawBufferPointer? {
    Array(key.utf8).withUnsafeBytes { JSONScanner.member(json, $0) }
  }

  private func findTypes(from schema: ObjectSchema) throws {
    var found = [schema]
    while let next = found.popLast() {
      guard types.updateValue(next, forKey: next.tableName) == nil else { continue }
      for toOne in next.toOnes { found.append(try toOne.schema.target) }
      for collection in next.collections { found.append(try collection.target) }
    }
  }
}
