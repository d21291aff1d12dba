import MagicData

extension MagicEngine {
  static func packageRecords(of archive: PlainArchive) -> [Package] {
    let maintainers = archive.maintainers.map(Maintainer.init)
    let packages = archive.packages.map { Package($0, maintainer: maintainers[$0.maintainer]) }
    for (package, plain) in zip(packages, archive.packages) {
      package.needs = MagicalSet(plain.needs.lazy.map { packages[$0] })
    }
    return packages
  }

  /// Packages that need each other would keep each other for ever.
  static func release(_ packages: [Package]) {
    for package in packages { package.needs = [] }
  }

  func insertPackages(_ records: [Package]) async throws {
    try await magic.update(contentsOf: records)
  }

  func fetchClosures(_ ids: [String]) async throws -> Checksum {
    var checksum = Checksum()
    for id in ids {
      let package = try await magic.object(of: Package.self, primary: id)
      var seen: Set<ZIndex?> = [package.zIndex]
      var waiting = [package]
      while let package = waiting.popLast() {
        checksum.add(
          id: package.id, name: package.name, version: package.version, details: package.details,
          size: package.size, maintainer: package.maintainer?.name)
        for needed in package.needs where seen.insert(needed.zIndex).inserted {
          waiting.append(needed)
        }
      }
    }
    return checksum
  }

  func packages(_ ids: [String]) async throws -> [Package] {
    try await magic.object(of: Package.self, primaries: ids)
  }

  func countDependents(of packages: [Package]) async throws -> Checksum {
    var checksum = Checksum()
    for package in packages { checksum.add(try await package.neededBy.count) }
    return checksum
  }

  func lookUpDependents(of packages: [Package]) async throws -> Checksum {
    var checksum = Checksum()
    for package in packages {
      for try await dependent in package.neededBy {
        checksum.add(dependent.size)
        for needed in dependent.needs { checksum.add(needed.size) }
      }
    }
    return checksum
  }
}
