import MagicAssets

/// An instance of an entry that the run keeps during other writes, and its expected values.
struct KeptEntry {
  enum Property: Hashable {
    case id, number, note, file
  }

  let object: Entry
  /// The expected row ID of the instance.
  var zIndex: Int64?
  var values: World.EntryRow
  var dirty: Set<Property>
  /// Whether its file was set, and neither fetched nor saved: such a file does not depend on a row.
  var hasOwnFile: Bool

  /// Creates a new entry.
  init(id: String, number: Int) {
    object = Entry()
    values = World.EntryRow(id: id, number: number)
    (object.id, object.number) = (id, number)
    dirty = [.id, .number]
    hasOwnFile = true
  }

  /// Creates the record of a fetched entry.
  init(_ object: Entry, _ zIndex: Int64, _ values: World.EntryRow) {
    (self.object, self.zIndex, self.values) = (object, zIndex, values)
    dirty = []
    hasOwnFile = false
  }

  mutating func set(_ property: Property, _ number: Int) {
    dirty.insert(property)
    switch property {
    case .id:
      values.id = "e\(number % 6)"
      object.id = values.id
    case .number:
      values.number = number
      object.number = number
    case .note:
      values.note = number % 3 == 0 ? nil : "note \(number)"
      object.note = values.note
    case .file:
      values.file = number % 3 == 0 ? nil : "file \(number)"
      object.file = values.file.map { MagicAsset(value: $0, pathExtension: "txt") }
      hasOwnFile = true
    }
  }

  /// Sets the file of another entry.
  mutating func share(_ other: KeptEntry) {
    dirty.insert(.file)
    values.file = other.values.file
    object.file = other.object.file
    hasOwnFile = other.hasOwnFile && other.dirty.contains(.file)
  }

  /// The expected row after a save, if other writes may have changed the row.
  func written(over row: World.EntryRow) -> World.EntryRow {
    var row = row
    if dirty.contains(.id) { row.id = values.id }
    if dirty.contains(.number) { row.number = values.number }
    if dirty.contains(.note) { row.note = values.note }
    if dirty.contains(.file) { row.file = values.file }
    return row
  }
}
