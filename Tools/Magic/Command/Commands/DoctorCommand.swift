import ArgumentParser
import MagicData
import MagicInspection

/// `magic doctor`: faults, and what costs time or space.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check a database, and advise what to improve.",
    discussion: """
      Does what verify does, and looks for redundant and missing indexes, and for tables without \
      statistics. Of a file it also looks for indexes that select too many rows, free space, a large \
      log, files that other users can read, and what an interrupted restore has left; on a server of \
      PostgreSQL for unused and incomplete indexes, dead rows, unused replication slots, and settings \
      that endanger commits. Changes nothing. Ends with 1 if there are faults; advice does not count.
      """)

  @OptionGroup var database: DatabaseArgument
  @OptionGroup var format: JSONOption

  func run() async throws {
    let advice = try await advice()
    let report = try await database.opening { try await $0.verify() }
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

  private func advice() async throws -> [Advice] {
    guard database.isOnServer else {
      return try database.file.inspecting { try Diagnosis(reader: $0, database: $1).advice() }
    }
    return try await database.inspecting { reader, database in
      try ServerDiagnosis(reader: reader, database: database).advice()
    }
  }
}

/// Something that can be improved.
struct Advice: Equatable, Sendable {
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
