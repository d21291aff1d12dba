import DebianPackages
import MagicData

/// Saves the packages of a file, and removes the earlier packages of the database.
struct PackageImport {
  let saved: Int
  let needs: Int
  let recommendations: Int
  /// The number of dependencies that no package of the file fulfils.
  let unmet: Int
  /// The packages for the queries.
  let questions: Questions
  /// The descriptions in the file.
  let descriptions: Fingerprints
  /// The number of stanzas with the same package and version as an earlier one, which they replace.
  private(set) var repeated = 0
  private(set) var malformed = 0
  private(set) var replaced = 0
  private(set) var seconds = 0.0

  init(
    _ file: PackageFile, into magic: MagicData, asking wishes: Questions.Wishes = .init()
  ) async throws {
    let stopwatch = Stopwatch()
    var progress = ProgressBar("Reading")
    var archive = PackageArchive()
    var reader = StanzaReader(file.bytes)
    while let result = reader.next() {
      do throws(MalformedStanza) {
        if try archive.add(result.get()) { repeated += 1 }
      } catch {
        malformed += 1
        progress.log(
          "\(file.path.printable):\(error.line): \(error.reason); the stanza is skipped")
      }
      let count = archive.packages.count
      if count.isMultiple(of: 500) {
        progress.show(Double(reader.offset) / Double(file.bytes.count), count.counted("package"))
      }
    }
    progress.finish()
    guard !archive.packages.isEmpty || malformed == 0 else {
      throw PackageFile.Unreadable(path: file.path, reason: "not one of its stanzas is a package")
    }
    archive.link()
    defer { archive.unlink() }
    questions = try Questions(wishes, of: archive)
    saved = archive.packages.count
    needs = archive.needs
    recommendations = archive.recommendations.count
    unmet = archive.unmet
    descriptions = try Fingerprints(archive.packages)

    // The earlier packages are removed only after the new ones have been read.
    replaced = try await Self.removeEarlier(from: magic)
    // Packages refer to later packages of the file, and are saved with all packages they refer to.
    // In one call each package is visited once.
    try await magic.update(contentsOf: archive.packages)
    try await magic.update(contentsOf: archive.recommendations)
    seconds = stopwatch.seconds
  }

  private static func removeEarlier(from magic: MagicData) async throws -> Int {
    try await magic.removeAll(of: Recommendation.self)
    let replaced = try await magic.removeAll(of: DebianPackage.self)
    try await magic.removeAll(of: Section.self)
    try await magic.removeAll(of: Maintainer.self)
    return replaced
  }
}
