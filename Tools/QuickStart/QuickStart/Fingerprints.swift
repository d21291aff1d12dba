/// What the description of each package says, as one number: enough to notice that a text is
/// missing, new, or another.
struct Fingerprints: Equatable {
  private var hashes: [String: Int] = [:]

  init() {}

  /// Reads the descriptions, one at a time in memory. A package without one has no fingerprint.
  init(_ packages: [DebianPackage]) throws {
    for package in packages {
      let text = try package.description()
      if !text.isEmpty { hashes[package.id] = Self.hash(text) }
    }
  }

  var count: Int { hashes.count }

  /// Leaves out those of the packages with some ids.
  func without(_ removed: [String]) -> Fingerprints {
    var rest = self
    for id in removed { rest.hashes[id] = nil }
    return rest
  }

  /// The ids of packages whose description is not the same in both, or in one of them alone.
  func differences(from other: Fingerprints) -> [String] {
    Set(hashes.keys).union(other.hashes.keys).filter { hashes[$0] != other.hashes[$0] }
  }

  // Of the bytes: Swift takes é written in two ways for the same.
  private static func hash(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      return hasher.finalize()
    }
  }
}
