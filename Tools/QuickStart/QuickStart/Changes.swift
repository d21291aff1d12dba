import Foundation
import MagicData

/// Changes of a database: some packages are pinned, some removed.
struct Changes {
  let pinned: [String]
  let removed: [String]
  /// The section whose packages were removed.
  let section: String?
  /// The description files that were deleted with their packages.
  let removedFiles: [URL]
  /// The number of description files before and after.
  let files: (before: Int, after: Int)
  let seconds: Double
  /// The expected number of packages.
  let count: Int
  /// The expected links.
  let links: Links

  /// Pins the biggest packages and removes the section with the fewest.
  init(_ survey: Survey, in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let pinned = try await magic.object(of: DebianPackage.self, primaries: survey.biggest.map(\.id))
    for package in pinned { package.isPinned = true }
    try await magic.update(contentsOf: pinned)

    let section = survey.smallestSection?.name
    let packages = try await magic.object(of: DebianPackage.self)
    let doomed = packages.filter { $0.sectionName == section }
    let removed = doomed.map(\.id)
    links = try await Links(in: magic, without: Set(removed))
    let paths = packages.compactMap(\.details.path)
    let before = Self.files(at: paths).count
    removedFiles = doomed.compactMap(\.details.path)
    try await magic.remove(contentsOf: doomed)
    files = (before, Self.files(at: paths).count)

    self.section = section
    self.removed = removed
    self.pinned = pinned.map(\.id).filter { !removed.contains($0) }
    count = survey.count - removed.count
    seconds = stopwatch.seconds
  }

  static func files(at paths: [URL]) -> [URL] {
    paths.filter { FileManager.default.fileExists(atPath: $0.path) }
  }
}
