import ArgumentParser
import MagicData
import MagicInspection

/// `magic verify`: the faults of a database.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check pages, references and asset files for faults.",
    discussion:
      "Changes nothing, and can run while a program uses the database. Ends with 1 if there are faults."
  )

  @OptionGroup var database: DatabaseArgument
  @Option(help: "The maximum number of findings of each kind.") var limit = 1_000
  @OptionGroup var format: JSONOption

  func validate() throws {
    guard limit > 0 else { throw ValidationError("The limit is less than 1.") }
  }

  func run() async throws {
    let report = try await database.opening { try await $0.verify(limit: limit) }
    if format.json {
      format.write(report.json)
    } else {
      report.write(to: .current)
    }
    guard report.isSound else { throw ExitCode(ExitStatus.findings) }
  }
}

extension MagicReport {
  func write(to output: Output) {
    for finding in findings {
      let place = finding.place.map { " (\($0))" } ?? ""
      output.line(
        "\(finding.kind): " + InspectedText.line("\(finding.message)\(place)", limit: 1_000))
    }
    if !isComplete { output.line("There are more findings; --limit changes their number.") }
    output.line(isSound ? "No faults." : "The database has faults.")
  }

  var json: JSONNode {
    .members([
      "isSound": .bool(isSound), "isComplete": .bool(isComplete),
      "findings": .array(findings.map(\.json)),
    ])
  }
}

extension MagicFinding {
  /// The property, row or file of the finding, as in `Person.name, row 7`; nil if it has none.
  fileprivate var place: String? {
    let name = (type ?? table).map { $0 + (column.map { ".\($0)" } ?? "") }
    let parts = [name, zIndex.map { "row \($0.rawValue)" }, file].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  var json: JSONNode {
    .members([
      "kind": .string(kind.description), "isFault": .bool(kind.isFault),
      "message": .string(message), "type": .string(orNull: type), "table": .string(orNull: table),
      "column": .string(orNull: column), "row": zIndex.map { .integer($0.rawValue) } ?? .null,
      "target": .string(orNull: target), "file": .string(orNull: file),
    ])
  }
}
