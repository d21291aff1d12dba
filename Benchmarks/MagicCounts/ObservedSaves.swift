import MagicData

/// Saves objects in separate transactions to a database in memory, so that only the processor's
/// work is counted.
final class ObservedSaves {
  private let store: MagicObjectStore
  private let observers: Observers
  private var saved = 0

  init(_ kind: Observers.Kind) throws {
    store = try MagicObjectStore.open(.memory)
    try Self.saveOthers(in: store)
    observers = Observers(kind, of: store)
  }

  func save(_ count: Int) throws {
    for number in saved..<saved + count { try store.update(Observed(number)) }
    saved += count
  }

  func close() { store.close() }

  /// Creates the tables of the ten types.
  private static func saveOthers(in store: MagicObjectStore) throws {
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
