package import MagicRuntime

/// Finds the rows of changes by their primary values; made when it is first asked for.
///
/// The lock is its own: each commit that is observed makes one.
package final class PrimaryPlaces: Locked, @unchecked Sendable {
  private var places: [ValueDigest: [Int]]?

  override init() { super.init() }

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
