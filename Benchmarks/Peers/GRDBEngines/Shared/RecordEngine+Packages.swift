internal import GRDB
internal import Workloads

extension RecordEngine {
  func insert(_ archive: PlainArchive) -> Job {
    let maintainers = archive.maintainers.map(Maintainer.init)
    let packages = archive.packages.map(Package.init)
    return { _ in
      try await pool.write { db in
        let authors = try maintainers.map { maintainer in
          var maintainer = maintainer
          try maintainer.insert(db)
          return maintainer.zIndex
        }
        let keys = try zip(packages, archive.packages).map { package, plain in
          var package = package
          package.maintainer = authors[plain.maintainer]
          try package.insert(db)
          return package.zIndex
        }
        for (owner, plain) in zip(keys, archive.packages) {
          for target in plain.needs {
            guard let owner, let target = keys[target] else { continue }
            try Need(owner: owner, target: target).insert(db)
          }
        }
      }
      return Checksum()
    }
  }

  func fetchClosures(_ ids: [String]) -> Job {
    { run in
      var checksum = Checksum()
      for id in ids {
        let start = run.begin()
        let packages = try await pool.read { db in
          try Self.closure(of: "SELECT z_index FROM package WHERE id = \(id)").fetchAll(db)
        }
        for full in packages { checksum.add(full) }
        run.end(start)
      }
      return checksum
    }
  }

  func countDependents(_ ids: [String]) async throws -> Job {
    let packages = try await packages(ids)
    return { run in
      var checksum = Checksum()
      for package in packages {
        let start = run.begin()
        checksum.add(
          try await pool.read { db in
            try package.request(for: Package.neededBy).fetchCount(db)
          })
        run.end(start)
      }
      return checksum
    }
  }

  func lookUpDependents(_ ids: [String]) async throws -> Job {
    let packages = try await packages(ids)
    return { run in
      var checksum = Checksum()
      for package in packages {
        let start = run.begin()
        let (dependents, found) = try await pool.read { db in
          (
            try package.request(for: Package.neededBy).fetchAll(db),
            try Self.closure(of: "SELECT owner FROM need WHERE target = \(package.zIndex)")
              .fetchAll(db)
          )
        }
        let places = Dictionary(
          uniqueKeysWithValues: found.indices.map { (found[$0].package.zIndex, $0) })
        for dependent in dependents {
          guard let place = places[dependent.owner] else { continue }
          checksum.add(found[place].package.size)
          for need in found[place].needs {
            if let place = places[need.target] { checksum.add(found[place].package.size) }
          }
        }
        run.end(start)
      }
      return checksum
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/Documentation/CommonTableExpressions.md
  private static func closure(of roots: SQL) -> QueryInterfaceRequest<FullPackage> {
    let closure = CommonTableExpression(
      recursive: true, named: "closure", columns: ["z_index"],
      literal: """
        \(roots) UNION SELECT target FROM need JOIN closure ON owner = closure.z_index
        """)
    return Package.all().with(closure).filter { closure.contains($0.zIndex) }
      .including(optional: Package.author).including(all: Package.needs)
      .asRequest(of: FullPackage.self)
  }

  private func packages(_ ids: [String]) async throws -> [Package] {
    try await pool.read { db in try ids.map { try Package.find(db, key: ["id": $0]) } }
  }
}

extension Checksum {
  fileprivate mutating func add(_ full: some FullPackageRecord) {
    let package = full.package
    add(
      id: package.id, name: package.name, version: package.version, details: package.details,
      size: package.size, maintainer: full.author?.name)
  }
}
