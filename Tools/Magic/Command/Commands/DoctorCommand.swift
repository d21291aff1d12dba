import ArgumentParser
import MagicData
import MagicInspection

/// `magic doctor`: faults, and what costs time or space.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check a database, and advise what to improve.",
    discussion: """
      Does what verify does, and looks for redundant indexes, tables without statistics, free space, \
      a large log, files that other users can read, and what an interrupted restore has left. \
      Changes nothing. Ends with 1 if there are faults; advice does not count.
      """)

  @OptionGroup var file: FileArgument
  @OptionGroup var format: JSONOption

  func run() async throws {
    let advice = try file.inspecting { try Diagnosis(reader: $0, database: $1).advice() }
    let report = try await file.opening(readOnly: true) { try await $0.verify() }
    if format.json {
      format.write(
        .members([
          "isSound": .bool(report.isSound), "findings": .array(report.findings.map(\.json)),
          "advice": .array(advice.map(\.json)),
        ]))
    } else {
      let output = Output.current
      report.write(to: output)
      for advice in advice {
        output.line()
        output.line(output.bold(advice.subject))
        output.line("  " + advice.text)
        if let command = advice.command { output.line("  " + output.faint(command)) }
      }
      if advice.isEmpty { output.line("Nothing to improve.") }
    }
    guard report.isSound else { throw ExitCode(ExitStatus.findings) }
  }
}

/// Something that can be improved.
struct Advice: Equatable {
  let subject: String
  let text: String
  /// A command that improves it.
  var command: String?

  var json: JSONNode {
    .members([
      "subject": .string(subject), "text": .string(text), "command": .string(orNull: command),
    ])
  }
}
