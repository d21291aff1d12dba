import ArgumentParser
import MagicData
import MagicInspection
import MagicServerInspection

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
    let report: MagicReport
    do {
      report = try await database.opening { try await $0.verify() }
    } catch {
      // The advice does not depend on the check, and may be about its error.
      write(nil, advice)
      throw error
    }
    write(report, advice)
    guard report.isSound else { throw ExitCode(ExitStatus.findings) }
  }

  /// - Parameter report: what the check found; nil if it failed.
  private func write(_ report: MagicReport?, _ advice: [Advice]) {
    guard !format.json else {
      format.write(
        .members([
          "isSound": report.map { .bool($0.isSound) } ?? .null,
          "findings": report.map { .array($0.findings.map(\.json)) } ?? .null,
          "advice": .array(advice.map(\.json)),
        ]))
      return
    }
    let output = Output.current
    if let report { report.write(to: output) } else { output.line("The check was not completed.") }
    for advice in advice {
      output.line()
      output.line(output.bold(advice.subject))
      output.line("  " + advice.text)
      if let command = advice.command { output.line("  " + output.faint(command)) }
    }
    if advice.isEmpty { output.line("Nothing to improve.") }
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
