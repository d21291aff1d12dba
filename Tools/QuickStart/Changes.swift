import MagicData

/// Some packages pinned, some removed, and the proof that the database kept it that way.
struct Changes {
  let pinned: [String]
  let removed: [String]
  /// The section whose packages were removed.
  let section: String?
  let seconds: Double
  private let countBefore: Int
  /// What must be left of the links.
  let links: Links

  /// Pins the biggest packages and removes the section with the fewest.
  init(_ survey: Survey, in magic: MagicData) async throws {
    let stopwatch = Stopwatch()
    let pinned = try await magic.object(of: DebianPackage.self, primaries: survey.biggest.map(\.id))
    for package in pinned { package.isPinned = true }
    try await magic.update(contentsOf: pinned)

    let section = survey.smallestSection?.name
    let doomed = try await magic.object(of: DebianPackage.self)
      .filter { $0.sectionName == section }
    let removed = doomed.map(\.id)
    links = try await Links(in: magic, without: Set(removed))
    try await magic.remove(contentsOf: doomed)

    self.section = section
    self.removed = removed
    self.pinned = pinned.map(\.id).filter { !removed.contains($0) }
    countBefore = survey.count
    seconds = stopwatch.seconds
  }

  /// Looks in the reopened database; the answer is how many packages are left.
  func verify(in magic: MagicData) async throws -> Int {
    let count = try await magic.object(of: DebianPackage.self).count
    let expected = countBefore - removed.count
    guard count == expected else {
      throw Mismatch(what: "\(count) packages are left where \(expected) should be")
    }
    let stillPinned = try await magic.object(of: DebianPackage.self, primaries: pinned)
      .filter(\.isPinned).map(\.id)
    guard stillPinned == pinned else {
      throw Mismatch(what: "\(stillPinned.count) packages are pinned, not \(pinned.count)")
    }
    let revived = try await magic.object(of: DebianPackage.self, primaries: removed)
    guard revived.isEmpty else {
      throw Mismatch(what: "\(revived.count) packages were removed and are still there")
    }
    guard try await Links(in: magic) == links else {
      throw Mismatch(what: "not all packages lead to what they led to")
    }
    return count
  }
}

extension Changes {
  struct Mismatch: Error, CustomStringConvertible {
    let what: String

    var description: String { "the database is not as it was left: \(what)" }
  }
}
