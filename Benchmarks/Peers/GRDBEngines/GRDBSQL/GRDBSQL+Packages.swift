internal import GRDB
internal import Workloads

extension GRDBSQL {
  func insert(_ archive: PlainArchive) -> Job {
    { _ in
      try await pool.write { db in
        let maintainerStatement = try db.cachedStatement(
          sql: "INSERT INTO maintainer (name) VALUES (?)")
        for maintainer in archive.maintainers {
          try maintainerStatement.execute(arguments: [maintainer])
        }
        let packageStatement = try db.cachedStatement(
          sql: """
            INSERT INTO package (id, name, version, details, size, maintainer)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
        for package in archive.packages {
          try packageStatement.execute(arguments: [
            package.id, package.name, package.version, package.details, package.size,
            package.maintainer + 1,
          ])
        }
        let needStatement = try db.cachedStatement(
          sql: "INSERT INTO need (owner, target) VALUES (?, ?)")
        for (owner, package) in archive.packages.enumerated() {
          for target in package.needs {
            try needStatement.execute(arguments: [owner + 1, target + 1])
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
          try Self.closure(db, of: "SELECT z_index FROM package WHERE id = ?", [id])
        }
        checksum.add(Self.sumUp(packages))
        run.end(start)
      }
      return checksum
    }
  }

  func countDependents(_ ids: [String]) async throws -> Job {
    let keys = try await keys(of: ids)
    return { run in
      var checksum = Checksum()
      for key in keys {
        let start = run.begin()
        let count = try await pool.read { db in
          try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM need WHERE target = ?"),
            arguments: [key])
        }
        checksum.add(count ?? 0)
        run.end(start)
      }
      return checksum
    }
  }

  func lookUpDependents(_ ids: [String]) async throws -> Job {
    let keys = try await keys(of: ids)
    return { run in
      var checksum = Checksum()
      for key in keys {
        let start = run.begin()
        let (dependents, packages) = try await pool.read { db in
          (
            try Int64.fetchAll(
              db.cachedStatement(sql: "SELECT owner FROM need WHERE target = ?"),
              arguments: [key]),
            try Self.closure(db, of: "SELECT owner FROM need WHERE target = ?", [key])
          )
        }
        let places = Dictionary(
          uniqueKeysWithValues: packages.indices.map { (packages[$0].zIndex, $0) })
        for dependent in dependents {
          guard let place = places[dependent] else { continue }
          checksum.add(packages[place].size)
          for needed in packages[place].needs { checksum.add(packages[needed].size) }
        }
        run.end(start)
      }
      return checksum
    }
  }

  /// A fetched package, with the indexes of the packages it needs.
  private struct Package {
    let zIndex: Int64
    let id: String
    let name: String
    let version: String
    let details: String
    let size: Int
    let maintainer: String?
    var needs: [Int] = []

    init(_ row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      version = row[3]
      details = row[4]
      size = row[5]
      maintainer = row[6]
    }
  }

  private func keys(of ids: [String]) async throws -> [Int64?] {
    try await pool.read { db in
      try ids.map { id in
        try Int64.fetchOne(db, sql: "SELECT z_index FROM package WHERE id = ?", arguments: [id])
      }
    }
  }

  /// One recursive statement for the packages, and one for the join rows between them.
  private static func closure(
    _ db: Database, of roots: String, _ arguments: StatementArguments
  ) throws -> [Package] {
    let closure = """
      WITH RECURSIVE closure (z_index) AS (
        \(roots) UNION SELECT target FROM closure JOIN need ON owner = closure.z_index)
      """
    let packagesStatement = try db.cachedStatement(
      sql: """
        \(closure)
        SELECT package.z_index, package.id, package.name, version, details, size, maintainer.name
        FROM closure JOIN package ON package.z_index = closure.z_index
        LEFT JOIN maintainer ON maintainer.z_index = package.maintainer
        """)
    let linksStatement = try db.cachedStatement(
      sql: "\(closure) SELECT owner, target FROM closure JOIN need ON owner = closure.z_index")
    var packages: [Package] = []
    var places: [Int64: Int] = [:]
    let rows = try Row.fetchCursor(packagesStatement, arguments: arguments)
    while let row = try rows.next() {
      let package = Package(row)
      places[package.zIndex] = packages.count
      packages.append(package)
    }
    let links = try Row.fetchCursor(linksStatement, arguments: arguments)
    while let link = try links.next() {
      if let owner = places[link[0]], let target = places[link[1]] {
        packages[owner].needs.append(target)
      }
    }
    return packages
  }

  private static func sumUp(_ packages: [Package]) -> Checksum {
    var checksum = Checksum()
    for package in packages {
      checksum.add(
        id: package.id, name: package.name, version: package.version, details: package.details,
        size: package.size, maintainer: package.maintainer)
    }
    return checksum
  }
}
