import MagicData

/// An object of no interest to a measured save: each marker makes it another type, with a table of its
/// own.
struct Other<Marker: Sendable>: MagicObject {
  @PrimaryMagicValue var id: Int
  @MagicValue(.indexed) var name: String = ""
  @MagicValue var count: Int = 0

  init() {}
}

/// Streams of changes that nobody reads.
struct Observers {
  /// What keeps each of them.
  private var streams: [any Sendable] = []

  /// Observers of ten types that have tables, in turn.
  mutating func addOthers(_ count: Int, to store: some ObservableDatabase) {
    for number in 0..<count {
      switch number % 10 {
      case 0: add(Other<Int8>.self, to: store)
      case 1: add(Other<Int16>.self, to: store)
      case 2: add(Other<Int32>.self, to: store)
      case 3: add(Other<Int64>.self, to: store)
      case 4: add(Other<UInt8>.self, to: store)
      case 5: add(Other<UInt16>.self, to: store)
      case 6: add(Other<UInt32>.self, to: store)
      case 7: add(Other<UInt64>.self, to: store)
      case 8: add(Other<Float>.self, to: store)
      default: add(Other<Double>.self, to: store)
      }
    }
  }

  mutating func add<Model: MagicObject>(_ type: Model.Type, to store: some ObservableDatabase) {
    streams.append(store.changes(of: type))
  }

  /// Makes the tables of the ten types.
  static func saveOthers(in store: ObjectStore) throws {
    try store.update(Other<Int8>())
    try store.update(Other<Int16>())
    try store.update(Other<Int32>())
    try store.update(Other<Int64>())
    try store.update(Other<UInt8>())
    try store.update(Other<UInt16>())
    try store.update(Other<UInt32>())
    try store.update(Other<UInt64>())
    try store.update(Other<Float>())
    try store.update(Other<Double>())
  }
}
