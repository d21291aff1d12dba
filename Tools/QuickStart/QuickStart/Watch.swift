import Foundation
import MagicData

/// Tells what becomes of the packages of a database while others change it.
///
/// Another process's commits come without rows. So the packages are asked for again, by a few columns
/// each, and compared with those of before; commits that do not touch these columns cost nothing.
struct Watch {
  let place: DatabasePlace

  /// - Throws: ``Missing``.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    place = try DatabasePlace(path: path)
  }

  /// Reports until the task is cancelled.
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
      "there is no database at \(path.printable); --database \(path.printable) makes one"
    }
  }
}
