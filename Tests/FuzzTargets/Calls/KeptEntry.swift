import MagicAssets

/// An instance of an entry that is kept while others write, and what it must be.
struct KeptEntry {
  enum Property: Hashable {
    case id, number, note, file
  }

  let object: Entry
  /// The row it is, as far as it knows.
  var zIndex: Int64?
  var values: World.EntryRow
  var dirty: Set<Property>
  /// Whether its file was put into it, and not fetched or saved: it does not depend on a row.
  var hasOwnFile: Bool

  /// A new one.
  init(id: String, number: Int) {
    object = Entry()
    values = World.EntryRow(id: id, number: number)
    (object.id, object.number) = (id, number)
    dirty = [.id, .number]
    hasOwnFile = true
  }

  /// A fetched one.
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

  /// Takes over the file of another.
  mutating func share(_ other: KeptEntry) {
    dirty.insert(.file)
    values.file = other.values.file
    object.file = other.object.file
    hasOwnFile = other.hasOwnFile && other.dirty.contains(.file)
  }

  /// What is written to a row that others may have changed.
  func written(over row: World.EntryRow) -> World.EntryRow {
    var row = row
    if dirty.contains(.id) { row.id = values.id }
    if dirty.contains(.number) { row.number = values.number }
    if dirty.contains(.note) { row.note = values.note }
    if dirty.contains(.file) { row.file = values.file }
    return row
  }
}
