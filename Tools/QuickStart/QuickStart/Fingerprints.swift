/// The hash of each package's description, which shows that a text is missing, new or different.
struct Fingerprints: Equatable {
  private var hashes: [String: Int] = [:]

  init() {}

  /// Reads the descriptions, with one at a time in memory. A package without one has no
  /// fingerprint.
  init(_ packages: [DebianPackage]) throws {
    for package in packages {
      let text = try package.description()
      if !text.isEmpty { hashes[package.id] = Self.hash(text) }
    }
  }

  var count: Int { hashes.count }

  /// Returns the fingerprints without those of some packages.
  func without(_ removed: [String]) -> Fingerprints {
    var rest = self
    for id in removed { rest.hashes[id] = nil }
    return rest
  }

  /// The IDs of packages whose descriptions differ, or which only one of both contains.
  func differences(from other: Fingerprints) -> [String] {
    Set(hashes.keys).union(other.hashes.keys).filter { hashes[$0] != other.hashes[$0] }
  }

  // A hash of the bytes, because Swift's equality ignores differences of Unicode normalization.
  private static func hash(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      return hasher.finalize()
    }
  }
}
