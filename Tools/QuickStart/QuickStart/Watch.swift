import Foundation
import MagicData

/// Reports the changes of packages in a database while other processes change it.
///
/// Commits of other processes are reported without rows. So a few columns of the packages are
/// fetched again and compared with the last values; commits that do not change these columns cost
/// nothing.
struct Watch {
  let place: DatabasePlace

  /// - Throws: ``Missing``.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    place = try DatabasePlace(path: path)
  }

  /// Reports changes until the task is cancelled.
  func run(_ report: WatchReport) async throws {
    try await place.open(readOnly: true) { magic in
      var known: WatchedPackages?
      for try await rows in try Self.rows(in: magic) {
        let packages = WatchedPackages(rows)
        if let known {
          report.changed(packages.differences(from: known), at: Date())
        } else {
          report.began(packages, in: place)
        }
        known = packages
      }
    }
    report.ended()
  }

  private static func rows(in magic: MagicData) throws -> MagicValues<[WatchedPackages.Row]> {
    magic.query(DebianPackage.self).select {
      ($0.$id, $0.$status, $0.$priority, $0.$installedSize, $0.$summary, $0.$isPinned)
    }.values()
  }
}

extension Watch {
  struct Missing: Error, CustomStringConvertible {
    let path: String

    var description: String {
      "there is no database at \(path.printable); --database \(path.printable) creates one"
    }
  }
}
