import ArgumentParser
import DebianPackages
import Foundation
import MagicData

@main
struct QuickStart: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quick-start",
    abstract: "Saves a Debian package database as objects, queries it and changes it.",
    discussion: """
      Every stanza becomes one object, its dependencies become relationships to other objects, and \
      a long description becomes a file that belongs to the object. The database is then opened \
      again and queried: the packages that a package needs, directly and indirectly, the packages \
      that need a package, the maintainers with the most packages, and the packages about a text, from \
      a search index of all names and descriptions. Some packages are pinned, \
      some removed, and the result is verified after opening the database again. \
      An invalid stanza is reported with its line and skipped.
      """)

  static let systemFile = "/var/lib/dpkg/status"

  @Argument(
    help: .init(
      "A dpkg status file or an archive's Packages file, uncompressed.",
      discussion: "Default: \(systemFile), or a small sample if this file does not exist."),
    completion: .file())
  var packages: String?

  @Option(
    help: .init(
      "Keep the database at this path.",
      discussion: """
        Packages of an earlier run are replaced. Long descriptions are in the folder \
        PATH-assets. Default: a temporary directory.
        """),
    completion: .file())
  var database: String?

  @Option(
    help: .init(
      "Keep the database on the server of PostgreSQL with this connection string.",
      discussion: "Tools/quick-start --postgres, without a value, starts a server for the run."))
  var postgres: String?

  @Option(
    help: .init(
      "Report the packages that this package needs.",
      discussion: "Default: the package with the most dependencies."))
  var needs: String?

  @Option(
    help: .init(
      "Report the packages that need this package.",
      discussion: "Default: the package that the most packages need."))
  var neededBy: String?

  @Option(
    help: .init(
      "Report the packages whose names and descriptions have these words.",
      discussion: "Default: \(Questions.defaultText)."))
  var about: String?

  @Option(
    help: .init(
      "Report changes of the database at this path, and do nothing else.",
      discussion: """
        The database was created with --database. New, removed and changed packages are reported \
        within a second, for changes by any process, such as the sqlite3 shell or another run, \
        until Ctrl-C.
        """),
    completion: .file())
  var watch: String?

  func validate() throws {
    guard postgres == nil || database == nil && watch == nil else {
      throw ValidationError("--postgres cannot be combined with --database or --watch.")
    }
    guard watch != nil else { return }
    guard packages == nil, database == nil, needs == nil, neededBy == nil, about == nil else {
      throw ValidationError("--watch cannot be combined with another argument.")
    }
  }

  func run() async throws {
    if let watch { return try await Self.watch(watch) }
    let file = try PackageFile(path: try packages ?? Self.defaultFile())
    let place = try postgres.map(DatabasePlace.init(postgres:)) ?? DatabasePlace(path: database)
    defer { place.clean() }
    let interruption = Interruption { place.clean() }
    defer { interruption.end() }
    let report = Report()

    let wishes = Questions.Wishes(needs: needs, neededBy: neededBy, about: about)
    let saved = try await place.open { try await PackageImport(file, into: $0, asking: wishes) }
    report.saved(saved, from: file, in: place)

    let findings = try await place.open { try await Findings(in: $0) }
    report.found(findings)

    let answers = try await place.open {
      try await Answers(saved.questions, in: $0)
    }
    report.answered(answers)

    let changes = try await place.open { try await Changes(findings.survey, in: $0) }
    report.changed(changes)

    let verified = try await place.open {
      try await Verification(of: changes, to: saved, in: $0)
    }
    report.verified(verified)
    report.end(place)
  }

  private static func watch(_ path: String) async throws {
    let watch = try Watch(path: path)
    let watching = Task { try await watch.run(WatchReport()) }
    let interruption = Interruption(endsProcess: false) { watching.cancel() }
    defer { interruption.end() }
    Disconnection.whenGone { watching.cancel() }
    try await watching.value
  }

  static func defaultFile(_ systemFile: String = systemFile) throws -> String {
    if FileManager.default.fileExists(atPath: systemFile) { return systemFile }
    let sample = Bundle.module.url(
      forResource: "Packages", withExtension: nil, subdirectory: "Sample")
    guard let sample else {
      throw PackageFile.Unreadable(path: "Sample/Packages", reason: "it is not in the bundle")
    }
    return sample.path
  }
}
