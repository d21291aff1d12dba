import ArgumentParser
import Foundation
import MagicInspection

/// `magic watch`: what commits change.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Report what commits change, until Ctrl-C.",
    discussion: """
      Commits of all programs are reported within 0.3 seconds; commits that follow each other faster \
      are reported as one. Of types with more than 100,000 objects, only the number of objects is \
      reported.
      """)

  @OptionGroup var file: FileArgument
  @Argument(help: "The name of the only type to watch.") var type: String?
  @Option(help: "The number of reports after which the command ends.") var count: Int?
  @Flag(help: "Write JSON: one object a line for each change.") var json = false

  func run() async throws {
    let reader = try file.reader()
    defer { reader.close() }
    let watch = ChangeWatch(reader: reader)
    var last = try reader.commitCounter()
    // Later changes of the types are found, so the name is looked up each time.
    _ = try watch.changes(of: type)
    Output.current.message("Watching. Ctrl-C ends the command.")
    var reports = 0
    while count.map({ reports < $0 }) ?? true {
      try await Task.sleep(for: .milliseconds(200))
      let counter = try reader.commitCounter()
      guard counter != last else { continue }
      last = counter
      let changes = try watch.changes(of: type)
      guard !changes.isEmpty else { continue }
      reports += 1
      write(changes)
    }
  }

  private func write(_ changes: [ChangeWatch.Change]) {
    let output = Output.current
    let time = Date().formatted(.iso8601)
    if json {
      for change in changes {
        output.line(JSONNode.object([.init("time", .string(time))] + change.json).text())
      }
      return
    }
    output.line(output.bold(time))
    for change in changes.prefix(100) {
      let text = "  " + change.text
      output.line(output.width.map { text.shortened(to: $0) } ?? text)
    }
    if changes.count > 100 { output.line("  … and \((changes.count - 100).grouped) more changes") }
  }
}
