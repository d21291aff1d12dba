import CMagicSQLite
import Workloads

/// Packages in C. A closure is fetched with one statement for a package's join rows and one for
/// its row; recursive queries were slower.
extension CTwin {
  static let packageTables = """
    CREATE TABLE maintainer (z_index INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE UNIQUE INDEX maintainer_name ON maintainer (name);
    CREATE TABLE package (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      version TEXT NOT NULL, details TEXT NOT NULL, size INTEGER NOT NULL,
      maintainer INTEGER REFERENCES maintainer (z_index)
        ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED);
    CREATE UNIQUE INDEX package_id ON package (id);
    CREATE INDEX package_maintainer ON package (maintainer);
    CREATE TABLE need (
      owner INTEGER NOT NULL REFERENCES package (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      target INTEGER NOT NULL REFERENCES package (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      PRIMARY KEY (owner, target)) WITHOUT ROWID;
    CREATE INDEX need_target ON need (target, owner)
    """

  func insertPackages(_ archive: PlainArchive) throws {
    try execute("BEGIN IMMEDIATE")
    let maintainerStatement = try prepare("INSERT INTO maintainer (name) VALUES (?)")
    let packageStatement = try prepare(
      """
      INSERT INTO package (id, name, version, details, size, maintainer) VALUES (?, ?, ?, ?, ?, ?)
      """)
    defer { for each in [maintainerStatement, packageStatement] { sqlite3_finalize(each) } }
    for maintainer in archive.maintainers {
      var name = maintainer
      try name.withUTF8 {
        bind($0, maintainerStatement, 1)
        try finish(maintainerStatement)
      }
    }
    for package in archive.packages { try insert(package, packageStatement) }
    try insertNeeds(of: archive.packages)
    try execute("COMMIT")
  }

  func fetchClosures(_ ids: [String], _ run: Run) throws -> Checksum {
    let closures = try Closures(self)
    defer { closures.end() }
    let find = try prepare("SELECT z_index FROM package WHERE id = ?")
    defer { sqlite3_finalize(find) }
    var checksum = Checksum()
    for id in ids {
      let start = run.begin()
      let packages = try closures.closure(of: [zIndex(of: id, find)])
      for package in packages {
        checksum.add(
          id: package.id, name: package.name, version: package.version, details: package.details,
          size: package.size, maintainer: package.maintainer)
      }
      run.end(start)
    }
    return checksum
  }

  func packages(_ ids: [String]) throws -> [Int64] {
    let find = try prepare("SELECT z_index FROM package WHERE id = ?")
    defer { sqlite3_finalize(find) }
    return try ids.map { try zIndex(of: $0, find) }
  }

  func countDependents(of packages: [Int64], _ run: Run) throws -> Checksum {
    let count = try prepare("SELECT count(*) FROM need WHERE target = ?")
    defer { sqlite3_finalize(count) }
    var checksum = Checksum()
    for package in packages {
      let start = run.begin()
      sqlite3_bind_int64(count, 1, package)
      if try step(count) { checksum.add(Int(sqlite3_column_int64(count, 0))) }
      sqlite3_reset(count)
      run.end(start)
    }
    return checksum
  }

  /// The dependents, each with all packages that it needs, as the library fetches them.
  func lookUpDependents(of packages: [Int64], _ run: Run) throws -> Checksum {
    let closures = try Closures(self)
    defer { closures.end() }
    let find = try prepare("SELECT owner FROM need WHERE target = ? ORDER BY owner")
    defer { sqlite3_finalize(find) }
    var checksum = Checksum()
    for package in packages {
      let start = run.begin()
      var dependents: [Int64] = []
      sqlite3_bind_int64(find, 1, package)
      while try step(find) { dependents.append(sqlite3_column_int64(find, 0)) }
      sqlite3_reset(find)
      let found = try closures.closure(of: dependents)
      for dependent in found.prefix(dependents.count) {
        checksum.add(dependent.size)
        for needed in dependent.needs { checksum.add(found[needed].size) }
      }
      run.end(start)
    }
    return checksum
  }

  @inline(__always)
  private func insert(_ package: PlainPackage, _ statement: OpaquePointer) throws {
    var (id, name) = (package.id, package.name)
    var (version, details) = (package.version, package.details)
    try id.withUTF8 { id in
      try name.withUTF8 { name in
        try version.withUTF8 { version in
          try details.withUTF8 { details in
            bind(id, statement, 1)
            bind(name, statement, 2)
            bind(version, statement, 3)
            bind(details, statement, 4)
            sqlite3_bind_int64(statement, 5, Int64(package.size))
            sqlite3_bind_int64(statement, 6, Int64(package.maintainer + 1))
            try finish(statement)
          }
        }
      }
    }
  }

  /// Inserts fifty rows per statement, in the order of the table.
  private func insertNeeds(of packages: [PlainPackage]) throws {
    let start = "INSERT INTO need (owner, target) VALUES (?, ?)"
    let batch: Int32 = 50
    let many = try prepare(start + String(repeating: ", (?, ?)", count: Int(batch) - 1))
    let one = try prepare(start)
    defer { for each in [many, one] { sqlite3_finalize(each) } }
    var left = packages.reduce(0) { $0 + $1.needs.count }
    var parameter: Int32 = 0
    for (owner, package) in packages.enumerated() {
      for target in package.needs {
        let statement = parameter > 0 || left >= batch ? many : one
        sqlite3_bind_int64(statement, parameter + 1, Int64(owner + 1))
        sqlite3_bind_int64(statement, parameter + 2, Int64(target + 1))
        parameter += 2
        if statement == one || parameter == 2 * batch {
          try finish(statement)
          left -= Int(parameter / 2)
          parameter = 0
        }
      }
    }
  }
}
