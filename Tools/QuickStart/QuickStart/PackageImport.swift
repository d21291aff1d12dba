import DebianPackages
import MagicData

/// Saves the packages of a file, replacing those a database had before.
struct PackageImport {
  let saved: Int
  let needs: Int
  let recommendations: Int
  /// Dependencies that nothing in the file fulfils.
  let unmet: Int
  /// What to ask of the saved packages.
  let questions: Questions
  /// What the file says of each package.
  let descriptions: Fingerprints
  /// Stanzas that are the same package in the same version as an earlier one; the later counts.
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
          "\(file.path.printable):\(error.line): \(error.reason); the stanza is left out")
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

    // Not before there is something to put in their place.
    replaced = try await Self.removeEarlier(from: magic)
    // Packages lead to others further down the file, and are saved with all they lead to: in one
    // transaction each of them is looked at once.
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
