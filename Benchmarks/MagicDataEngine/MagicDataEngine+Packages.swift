import MagicData
import Workloads

extension MagicDataEngine {
  func insertPackages(_ archive: PlainArchive) -> Job {
    let records = ArchiveRecords(archive)
    return { _ in
      try await magic.update(contentsOf: records.packages)
      return Checksum()
    }
  }

  func fetchClosures(_ ids: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for id in ids {
        let start = run.begin()
        let package = try await magic.object(of: Package.self, primary: id)
        var seen: Set<ZIndex?> = [package.zIndex]
        var waiting = [package]
        while let package = waiting.popLast() {
          checksum.add(
            id: package.id, name: package.name, version: package.version,
            details: package.details, size: package.size, maintainer: package.maintainer?.name)
          for needed in package.needs where seen.insert(needed.zIndex).inserted {
            waiting.append(needed)
          }
        }
        run.end(start)
      }
      return checksum
    }
  }

  func countDependents(_ ids: [String]) async throws -> Job {
    let packages = try await magic.object(of: Package.self, primaries: ids)
    return { run in
      var checksum = Checksum()
      for package in packages {
        let start = run.begin()
        checksum.add(try await package.neededBy.count)
        run.end(start)
      }
      return checksum
    }
  }

  func lookUpDependents(_ ids: [String]) async throws -> Job {
    let packages = try await magic.object(of: Package.self, primaries: ids)
    return { run in
      var checksum = Checksum()
      for package in packages {
        let start = run.begin()
        for try await dependent in package.neededBy {
          checksum.add(dependent.size)
          for needed in dependent.needs { checksum.add(needed.size) }
        }
        run.end(start)
      }
      return checksum
    }
  }
}

/// New packages that refer to each other, released with the job that saves them.
private final class ArchiveRecords: Sendable {
  let packages: [Package]

  init(_ archive: PlainArchive) {
    let maintainers = archive.maintainers.map(Maintainer.init)
    let packages = archive.packages.map { Package($0, maintainer: maintainers[$0.maintainer]) }
    for (package, plain) in zip(packages, archive.packages) {
      package.needs = MagicalSet(plain.needs.lazy.map { packages[$0] })
    }
    self.packages = packages
  }

  /// Breaks the reference cycles of packages that need each other.
  deinit {
    for package in packages { package.needs = [] }
  }
}
