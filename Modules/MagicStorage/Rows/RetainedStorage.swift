/// The storages that a chunk retains because its rows refer to rows in them, each once. Optimised
/// for one storage.
struct RetainedStorage {
  private var first: PropertyStorage?
  private var others: [ObjectIdentifier: PropertyStorage] = [:]

  mutating func insert(_ storage: PropertyStorage) {
    guard let first else {
      first = storage
      return
    }
    guard first !== storage else { return }
    others[ObjectIdentifier(storage)] = storage
  }
}
