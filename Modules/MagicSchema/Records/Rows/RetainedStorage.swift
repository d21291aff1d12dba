/// What keeps rows that others refer to, each once. Most often it is one.
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
