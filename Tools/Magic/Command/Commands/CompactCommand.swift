import ArgumentParser
import MagicData
import MagicInspection

/// `magic compact`: returns free space to the file system.
struct CompactCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Return the free space in the file to the file system.",
    discussion: """
      Programs can use the database meanwhile. A file that an early version of the library created \
      is written again completely, which needs twice its size for that time.
      """)

  @OptionGroup var file: FileArgument
  @OptionGroup var format: JSONOption

  func run() async throws {
    let progress = Progress("Compacting")
    defer { progress.finish() }
    let result = try await file.opening(readOnly: false) { magic in
      try await magic.compact { progress.show($0.fraction) }
    }
    progress.finish()
    if format.json {
      format.write(
        .members([
          "bytesBefore": .integer(Int64(result.bytesBefore)),
          "bytesAfter": .integer(Int64(result.bytesAfter)),
        ]))
    } else {
      Output.current.line("\(result.bytesBefore.bytes) before, \(result.bytesAfter.bytes) after")
    }
  }
}
