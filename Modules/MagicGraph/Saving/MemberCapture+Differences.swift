import MagicEngine
import MagicSchema

extension MemberCapture {
  /// Removes duplicates. Distinct objects of a set can have the same row after the save, but the
  /// members of a stored set must be distinct.
  static func distinct(_ targets: [Int64]) -> [Int64] {
    guard !areDistinct(targets) else { return targets }
    var known = Set<Int64>(minimumCapacity: targets.count)
    return targets.filter { known.insert($0).inserted }
  }

  /// Whether no row occurs twice.
  static func areDistinct(_ targets: [Int64]) -> Bool {
    // Few rows are compared with each other, which takes less time than hashing them.
    if targets.count <= 8 {
      return targets.indices.allSatisfy { !targets[..<$0].contains(targets[$0]) }
    }
    // Members are often in the order of their row IDs.
    return zip(targets, targets.dropFirst()).allSatisfy { $0 < $1 }
      || Set(targets).count == targets.count
  }

  static func setDifference(
    _ before: ArraySlice<Int64>, _ after: [Int64]
  ) -> (removed: [Int64], inserted: [Int64]) {
    let (old, new) = trimmed(before, after)
    let wanted = Set(new)
    let present = Set(old)
    return (old.filter { !wanted.contains($0) }, new.filter { !present.contains($0) })
  }

  /// Removes the common prefix and suffix of two collections.
  private static func trimmed(
    _ old: ArraySlice<Int64>, _ new: [Int64]
  ) -> (ArraySlice<Int64>, ArraySlice<Int64>) {
    var old = old
    var new = new[...]
    while let first = old.first, first == new.first {
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, last == new.last {
      old.removeLast()
      new.removeLast()
    }
    return (old, new)
  }

  /// Compares two dictionaries. A key that was already saved keeps its stored form, because texts
  /// with different stored forms can be the same key in Swift.
  ///
  /// - Parameter stored: receives the keys in the form to be stored.
  static func dictionaryDifference(
    _ before: LinkSlice, _ old: any LinkKeys, _ targets: [Int64], _ keys: any LinkKeys,
    stored: any LinkKeys
  ) -> MemberDifference {
    let places = old.places(of: keys, start: before.start, count: before.count)
    var kept = Set<Int>()
    for case let place? in places { kept.insert(place) }
    var inserted: [Int] = []
    for (index, place) in places.enumerated() {
      if let place {
        stored.append(place, of: old)
      } else {
        stored.append(index, of: keys)
      }
      if place.map({ before.list.targets[$0] == targets[index] }) ?? false { continue }
      inserted.append(index)
    }
    return .dictionary(
      removed: before.range.filter { !kept.contains($0) }.map { $0 - before.start },
      inserted: inserted)
  }
}
