import CMagicSQLite
import Workloads

/// A package as the twin fetches it.
struct FetchedPackage {
  let id: String
  let name: String
  let version: String
  let details: String
  let size: Int
  let maintainer: String?
  /// The indexes of the packages it needs among those that were fetched with it.
  var needs: [Int] = []
}

/// Fetches packages with all they need.
final class Closures {
  private let twin: CTwin
  private let links: OpaquePointer
  private let row: OpaquePointer
  private let maintainer: OpaquePointer

  init(_ twin: CTwin) throws {
    self.twin = twin
    links = try twin.prepare("SELECT target FROM need WHERE owner = ?")
    row = try twin.prepare(
      "SELECT id, name, version, details, size, maintainer FROM package WHERE z_index = ?")
    maintainer = try twin.prepare("SELECT name FROM maintainer WHERE z_index = ?")
  }

  func end() { for each in [links, row, maintainer] { sqlite3_finalize(each) } }

  /// The packages in the requested order, followed by the packages that they need.
  func closure(of roots: [Int64]) throws -> [FetchedPackage] {
    var zIndexes = roots
    var places = Dictionary(uniqueKeysWithValues: zip(roots, 0...))
    var maintainers: [Int64: String] = [:]
    var packages: [FetchedPackage] = []
    while packages.count < zIndexes.count {
      let zIndex = zIndexes[packages.count]
      var package = try package(zIndex, &maintainers)
      sqlite3_bind_int64(links, 1, zIndex)
      while try twin.step(links) {
        let target = sqlite3_column_int64(links, 0)
        let place = places[target] ?? zIndexes.count
        if place == zIndexes.count {
          places[target] = place
          zIndexes.append(target)
        }
        package.needs.append(place)
      }
      sqlite3_reset(links)
      packages.append(package)
    }
    return packages
  }

  @inline(__always)
  private func package(
    _ zIndex: Int64, _ maintainers: inout [Int64: String]
  ) throws -> FetchedPackage {
    sqlite3_bind_int64(row, 1, zIndex)
    guard try twin.step(row) else { throw twin.failure(SQLITE_NOTFOUND) }
    defer { sqlite3_reset(row) }
    var name: String?
    if sqlite3_column_type(row, 5) != SQLITE_NULL {
      let key = sqlite3_column_int64(row, 5)
      name = try maintainers[key] ?? self.name(of: key)
      maintainers[key] = name
    }
    return FetchedPackage(
      id: twin.text(row, 0), name: twin.text(row, 1), version: twin.text(row, 2),
      details: twin.text(row, 3), size: Int(sqlite3_column_int64(row, 4)), maintainer: name)
  }

  private func name(of key: Int64) throws -> String? {
    sqlite3_bind_int64(maintainer, 1, key)
    defer { sqlite3_reset(maintainer) }
    return try twin.step(maintainer) ? twin.text(maintainer, 0) : nil
  }
}
