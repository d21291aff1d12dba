/// Packages that need each other, as plain structs, similar to a Linux distribution's archive.
public struct PlainArchive: Sendable {
  /// The names of the maintainers.
  public var maintainers: [String] = []
  /// The packages, most of which need earlier ones.
  public var packages: [PlainPackage] = []
}

/// A package as a plain struct.
public struct PlainPackage: Sendable {
  /// The primary.
  public var id: String
  /// The name.
  public var name: String
  /// Some digits.
  public var version: String
  /// One line.
  public var details: String
  /// A whole number.
  public var size: Int
  /// The index of its maintainer.
  public var maintainer: Int
  /// The indexes of the packages it needs, each once.
  public var needs: [Int]
}

extension PlainArchive {
  /// Creates packages that need seven others each. Nearly all need a few common packages; some need
  /// each other. The result is always the same.
  public static func make(_ count: Int) -> PlainArchive {
    var random = SplitMix(state: 44)
    let maintainers = (0..<max(1, count / 30)).map { "Maintainer \($0) <m\($0)@example.org>" }
    let packages = (0..<count).map { index in
      let name = "lib\(String(random.next() % 1_000_000_000, radix: 36))-\(index)"
      let version = "\(index % 7).\(index % 31)-\(1 + index % 3)"
      return PlainPackage(
        id: "\(name):amd64=\(version)", name: name, version: version,
        details: "What package number \(1_000_000_000_000_000 + index) is for, in one line",
        size: index % 100_000, maintainer: Int.random(in: maintainers.indices, using: &random),
        needs: needs(of: index, count, &random))
    }
    return PlainArchive(maintainers: maintainers, packages: packages)
  }

  private static func needs(of index: Int, _ count: Int, _ random: inout SplitMix) -> [Int] {
    var needs: Set<Int> = []
    for _ in 0..<Int.random(in: 0..<16, using: &random) {
      let next = index + Int.random(in: 1...8, using: &random)
      let isCircular = Int.random(in: 0..<100, using: &random) == 0
      let fraction = Double.random(in: 0..<1, using: &random)
      let cube = fraction * fraction * fraction
      let place = isCircular ? min(next, count - 1) : Int(cube * cube * Double(index))
      if place != index { needs.insert(place) }
    }
    return needs.sorted()
  }
}
