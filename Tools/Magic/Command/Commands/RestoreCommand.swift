import ArgumentParser
import MagicData
import MagicInspection

/// `magic restore`: replaces a database by a copy.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace a database and its assets by a copy of them.",
    discussion: """
      Refuses while a program has the database open, and if the copy has faults. The copy is first \
      copied next to the database and verified; then both are exchanged by renaming. The copy is \
      not changed. A file that is not a database of MagicData is not replaced, and a damaged \
      database is kept under another name.
      """)

  @Argument(help: "The copy: a file that backup wrote.", completion: .file())
  var copy: String
  @Argument(help: "The database to replace. It need not exist.", completion: .file())
  var database: String
  @Flag(help: "Keep the replaced database, under another name.") var keep = false
  @Flag(help: "Restore a copy that has faults.") var acceptFaults = false

  func run() async throws {
    let source = try FileArgument.parse([copy])
    let target = FileArgument.path(database)
    guard source.path != target, !Replacement.isSameFile(source.path, target) else {
      throw ValidationError("The copy and the database are the same file.")
    }
    let replacement = try Replacement(target: target)
    do {
      let progress = Progress("Copying")
      defer { progress.finish() }
      try await source.opening(readOnly: true) { magic in
        try await magic.backup(to: replacement.staged, allowsMissingAssets: acceptFaults) {
          progress.show($0.fraction)
        }
      }
      progress.finish()
      try await verify(replacement.staged)
      try replacement.exchange(keepsOld: keep)
    } catch {
      replacement.discard()
      throw error
    }
    guard let kept = replacement.kept else { return }
    Output.current.line("The replaced database is \(InspectedText.line(kept, limit: 1_000))")
  }

  private func verify(_ path: String) async throws {
    let report = try await FileArgument.parse([path]).opening(readOnly: true) {
      try await $0.verify()
    }
    guard report.isSound || acceptFaults else {
      throw CommandError(
        ExitStatus.findings,
        "The copy has faults, and the database was not changed. `magic verify` lists them; "
          + "--accept-faults restores the copy.")
    }
  }
}
