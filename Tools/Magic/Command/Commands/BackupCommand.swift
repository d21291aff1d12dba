import ArgumentParser
import MagicData

/// `magic backup`: a copy of a database and its assets.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy a database with its assets.",
    discussion: """
      The copy contains one committed state, also while a program writes. It gets its name when it \
      is complete.
      """)

  @OptionGroup var file: FileArgument
  @Argument(help: "The path of the copy, which must not exist.", completion: .file())
  var copy: String
  @Flag(help: "Remove the free space in the copy.") var compact = false
  @Flag(help: "Skip asset files that are missing or incomplete.") var skipMissingAssets = false

  func run() async throws {
    let progress = Progress("Copying")
    defer { progress.finish() }
    try await file.opening(readOnly: true) { magic in
      try await magic.backup(
        to: copy, allowsMissingAssets: skipMissingAssets, compacting: compact
      ) { progress.show($0.fraction) }
    }
  }
}
