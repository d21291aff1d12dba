package import MagicRuntime

/// An index of changed rows by their primary values. Built on first use.
///
/// The class is its own lock, because each observed commit creates one index.
package final class PrimaryIndex: Locked, @unchecked Sendable {
  private var places: [ValueDigest: [Int]]?

  package override init() { super.init() }

  func of(_ rows: [RowChange]) -> [ValueDigest: [Int]] {
    withLock {
      if let places { return places }
      var places: [ValueDigest: [Int]] = [:]
      for (place, row) in rows.enumerated() {
        if let old = row.oldPrimary { places[old, default: []].append(place) }
        if let new = row.newPrimary, new != row.oldPrimary {
          places[new, default: []].append(place)
        }
      }
      self.places = places
      return places
    }
  }
}
