import MagicData

/// The check that a database has the expected state after it was opened again.
struct Verification {
  /// The number of packages.
  let count: Int
  /// The number of packages with a description, and of those with a description in a file.
  let descriptions: Int
  let files: Int
  let links: Int

  /// - Throws: ``Mismatch``, or an error of reading the database.
  init(of changes: Changes, to saved: PackageImport, in magic: MagicData) async throws {
    let packages = try await magic.object(of: DebianPackage.self)
    count = packages.count
    guard count == changes.count else {
      throw Mismatch(what: "\(count) packages were found instead of \(changes.count)")
    }
    try await Self.checkPinned(changes, in: magic)
    try await Self.checkRemoved(changes, in: magic)

    let found = try await Links(in: magic)
    guard found == changes.links else {
      throw Mismatch(what: "some packages have other relationships than before")
    }
    links = found.count

    let texts = try Fingerprints(packages)
    let others = texts.differences(from: saved.descriptions.without(changes.removed))
    guard others.isEmpty else {
      throw Mismatch(what: "\(others.count) descriptions differ from those in the file")
    }
    descriptions = texts.count
    files = packages.count(where: \.details.hasValue)
  }

  private static func checkPinned(_ changes: Changes, in magic: MagicData) async throws {
    let pinned = try await magic.object(of: DebianPackage.self, primaries: changes.pinned)
      .filter(\.isPinned).map(\.id)
    guard pinned == changes.pinned else {
      throw Mismatch(what: "\(pinned.count) packages are pinned, not \(changes.pinned.count)")
    }
  }

  private static func checkRemoved(_ changes: Changes, in magic: MagicData) async throws {
    let revived = try await magic.object(of: DebianPackage.self, primaries: changes.removed)
    guard revived.isEmpty else {
      throw Mismatch(what: "\(revived.count) removed packages still exist")
    }
    let left = Changes.files(at: changes.removedFiles)
    guard left.isEmpty else {
      throw Mismatch(what: "\(left.count) files of removed packages still exist")
    }
  }
}

extension Verification {
  struct Mismatch: Error, CustomStringConvertible {
    let what: String

    var description: String { "the database has changed unexpectedly: \(what)" }
  }
}
