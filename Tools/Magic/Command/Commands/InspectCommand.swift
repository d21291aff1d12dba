import ArgumentParser
import MagicInspection

/// `magic inspect`: what the file contains.
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show the types, rows and sizes of a database.",
    discussion: """
      With the name of a type, shows its properties, relationships and indexes. A form that is \
      marked with "?" is a guess: files of formats 1 and 2 do not contain it.
      """)

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The name of a type in Swift, or of its table.")
  var type: String?
  @OptionGroup var format: JSONOption

  func run() async throws {
    guard !database.isOnServer else { return try await inspectServer() }
    try database.file.inspecting { reader, database in
      if let type {
        let report = TypeReport(type: try database.type(named: type))
        format.json ? format.write(report.json) : report.write(to: .current)
      } else {
        let report = try DatabaseReport(reader: reader, database: database)
        format.json ? format.write(report.json) : report.write(to: .current)
      }
    }
  }
  private func inspectServer() async throws {
    if let type {
      let report = TypeReport(type: try await database.inspecting { try $1.type(named: type) })
      format.json ? format.write(report.json) : report.write(to: .current)
    } else {
      let report = try await database.inspecting(ServerReport.init)
      format.json ? format.write(report.json) : report.write(to: .current)
    }
  }
}
