import MagicExchange
import MagicSchema

/// The state of reading one object.
struct ObjectReading {
  let layout: DocumentLayout
  /// The properties whose keys were read.
  var seen: [Bool]
  /// The property that the next key probably has.
  var expected = 0
  private(set) var reference: [UInt8]?
  private(set) var label: [UInt8]?
  private(set) var others: [UInt8]?
  /// The number of keys that begin with `$`.
  private(set) var markCount = 0
  private var hasType = false

  init(layout: DocumentLayout) {
    self.layout = layout
    seen = Array(repeating: false, count: layout.properties.count)
  }

  /// Reads a member that is not a property.
  mutating func addMark(
    _ name: [UInt8], _ value: UnsafeRawBufferPointer, at place: DocumentReader.Place
  ) throws {
    let text = String(decoding: name, as: UTF8.self)
    let path = place.path.key(text)
    let isRepeated: Bool
    switch text {
    case "$ref": (isRepeated, reference) = (reference != nil, Array(value))
    case "$id": (isRepeated, label) = (label != nil, Array(value))
    case "$type":
      (isRepeated, hasType) = (hasType, true)
      guard
        JSONText.quoted(value).flatMap(JSONText.decoded)
          .map({ String(decoding: $0, as: UTF8.self) }) == layout.schema.tableName
      else { throw path.error(.wrongType, "it is not the name of the table", layout.schema) }
    case "$objects" where place.isDocument:
      (isRepeated, others) = (others != nil, Array(value))
    default: throw path.error(.unknownKey, "the key has no meaning here", layout.schema)
    }
    guard !isRepeated else { throw path.error(.duplicateKey, "a key occurs twice", layout.schema) }
    markCount += 1
  }
}
