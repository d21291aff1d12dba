import MagicRuntime
import MagicSQLite

/// Finds the rows of changes by their primary values; made when it is first asked for.
package final class PrimaryPlaces: Sendable {
  private let places = Mutex<[ValueDigest: [Int]]?>(nil)

  func of(_ rows: [RowChange]) -> [ValueDigest: [Int]] {
    places.withLock { known in
      if let known { return known }
      var places: [ValueDigest: [Int]] = [:]
      for (place, row) in rows.enumerated() {
        if let old = row.oldPrimary { places[old, default: []].append(place) }
        if let new = row.newPrimary, new != row.oldPrimary {
          places[new, default: []].append(place)
        }
      }
      known = places
      return places
    }
  }
}
