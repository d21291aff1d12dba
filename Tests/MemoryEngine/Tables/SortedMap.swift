/// A map whose values are in the order of their keys.
///
/// The elements are in several parts, so that a change of a map that a snapshot shares copies one
/// part.
struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  typealias Element = (key: Key, value: Value)

  /// The elements. No part is empty.
  private var parts: [[Element]] = []
  private(set) var count = 0

  private static var partSize: Int { 256 }

  init() {}

  var isEmpty: Bool { parts.isEmpty }

  /// All keys with their values.
  var all: FlattenSequence<[[Element]]> { parts.joined() }

  var keys: some Sequence<Key> { all.lazy.map(\.key) }
  var values: some Sequence<Value> { all.lazy.map(\.value) }

  /// The values whose keys are greater than a key.
  func values(after key: Key) -> some Sequence<Value> {
    parts[part(of: key)...].joined().lazy.drop { $0.key <= key }.map(\.value)
  }

  subscript(key: Key) -> Value? {
    get {
      guard let (part, place) = find(key) else { return nil }
      return parts[part][place].value
    }
    set {
      switch (find(key), newValue) {
      case (let (part, place)?, let value?): parts[part][place].value = value
      case (let (part, place)?, nil): remove(part, place)
      case (nil, let value?): insert(key, value)
      case (nil, nil): break
      }
    }
  }

  /// Accesses a value, which is inserted if it does not exist.
  subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
    get { self[key] ?? value() }
    _modify {
      if find(key) == nil { insert(key, value()) }
      let (part, place) = find(key) ?? (0, 0)
      yield &parts[part][place].value
    }
  }

  private mutating func insert(_ key: Key, _ value: Value) {
    count += 1
    let part = part(of: key)
    guard part < parts.count else {
      if let last = parts.last, last.count < Self.partSize {
        parts[part - 1].append((key, value))
      } else {
        parts.append([(key, value)])
      }
      return
    }
    parts[part].insert((key, value), at: place(of: key, in: part))
    guard parts[part].count > Self.partSize else { return }
    let second = Array(parts[part][(Self.partSize / 2)...])
    parts[part].removeSubrange((Self.partSize / 2)...)
    parts.insert(second, at: part + 1)
  }

  private mutating func remove(_ part: Int, _ place: Int) {
    count -= 1
    parts[part].remove(at: place)
    if parts[part].isEmpty { parts.remove(at: part) }
  }

  private func find(_ key: Key) -> (part: Int, place: Int)? {
    let part = part(of: key)
    guard part < parts.count else { return nil }
    let place = place(of: key, in: part)
    guard place < parts[part].count, parts[part][place].key == key else { return nil }
    return (part, place)
  }

  /// The index of the part for a key; the end index for a key greater than all others.
  private func part(of key: Key) -> Int {
    parts.firstPlace { $0[$0.count - 1].key >= key }
  }

  private func place(of key: Key, in part: Int) -> Int {
    parts[part].firstPlace { $0.key >= key }
  }
}

extension SortedMap where Value == Bool {
  /// Inserts a key into a set of keys.
  mutating func insert(_ key: Key) { self[key] = true }
}

extension Array {
  /// The first index at which a condition is true that remains true after it; the end index if
  /// there is none.
  func firstPlace(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
