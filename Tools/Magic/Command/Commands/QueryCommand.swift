import ArgumentParser
import Foundation
import MagicInspection

/// `magic query`: the rows of a SELECT.
struct QueryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Run a SELECT.",
    discussion: """
      The database is opened for reading. A statement that writes, changes a setting or attaches a \
      file is refused. With "-" the SQL is read from standard input.

      A value of a parameter is an integer, a real or NULL if it looks like one, else a text. With a \
      plus sign before it, or in single quotes, it is always a text: -p "zip='01234'". Values are \
      never part of the SQL.
      """)

  enum Format: String, EnumerableFlag {
    case table, json, ndjson, csv

    static func help(for value: Format) -> ArgumentHelp? {
      switch value {
      case .table: "A table, the default."
      case .json: "An array of objects."
      case .ndjson: "An object on each line."
      case .csv: "Comma-separated values with a header, as RFC 4180 describes them."
      }
    }
  }

  @OptionGroup var database: DatabaseArgument
  @Argument(help: "The SQL of one statement, or - for standard input.")
  var sql: String
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The value of a parameter; a number names a parameter without a name.",
      valueName: "name=value"))
  var parameter: [String] = []
  @Flag(help: "The notation of the rows.") var format: Format = .table
  @Flag(help: "Show the plan instead of the rows.") var explain = false
  @Option(help: "The maximum number of rows.") var limit = 1_000
  @Option(help: "The maximum time in seconds.") var timeout = 10.0

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("The limit is less than 0.") }
    guard timeout > 0, timeout < 1e6 else {
      throw ValidationError("The timeout is not a number of seconds.")
    }
  }

  func run() async throws {
    let sql = try statement()
    let values = try parameters()
    guard !database.isOnServer else {
      let query = try ServerQuery(sql: sql, values: values, limit: limit, timeout: timeout)
      guard !explain else { return write(try await query.plan(on: database)) }
      return write(try await query.run(on: database))
    }
    try database.file.inspecting { reader, _ in
      try reader.limited(to: .seconds(timeout)) {
        guard !explain else {
          write(try reader.plan(of: sql))
          return
        }
        let result = try reader.query(sql, values: values, limit: limit)
        write(result)
      }
    }
  }

  private func statement() throws -> String {
    guard sql == "-" else { return sql }
    let data = try FileHandle.standardInput.readToEnd() ?? Data()
    return String(decoding: data, as: UTF8.self)
  }

  private func parameters() throws -> [String: InspectedValue] {
    var values: [String: InspectedValue] = [:]
    for text in parameter {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let first = parts.first, !first.isEmpty else {
        throw ValidationError("A parameter has the form name=value.")
      }
      let name = ":@$".contains(first.prefix(1)) ? String(first.dropFirst()) : String(first)
      values[name] = Self.value(String(parts[1]))
    }
    return values
  }

  static func value(_ text: String) -> InspectedValue {
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return InspectedValue(.text(String(text.dropFirst().dropLast())))
    }
    if text.uppercased() == "NULL" { return InspectedValue(.null) }
    // A plus sign begins telephone numbers.
    let isNumeric =
      text.utf8.first != UInt8(ascii: "+")
      && text.utf8.allSatisfy("0123456789.eE+-".utf8.contains)
    if isNumeric, let number = Int64(text) { return InspectedValue(.integer(number)) }
    if isNumeric, let number = Double(text), number.isFinite {
      return InspectedValue(.real(number))
    }
    return InspectedValue(.text(text))
  }

  private func write(_ plan: [PlanStep]) {
    let output = Output.current
    switch format {
    case .table: break
    case .csv:
      output.writeDocument(CSVText.line(["depth", "step", "isFullScan"]))
      for step in plan {
        output.writeDocument(CSVText.line(["\(step.depth)", step.text, "\(step.isFullScan)"]))
      }
      return
    case .json, .ndjson:
      let steps = plan.map { step in
        JSONNode.members([
          "depth": .integer(Int64(step.depth)), "step": .string(step.text),
          "isFullScan": .bool(step.isFullScan),
        ])
      }
      if format == .json { return output.line(JSONNode.array(steps).text(isIndented: true)) }
      for step in steps { output.line(step.text()) }
      return
    }
    for step in plan {
      let text =
        String(repeating: "  ", count: step.depth) + InspectedText.line(step.text, limit: 400)
      output.line(step.isFullScan ? output.bold(text) + "  reads the whole table" : text)
    }
  }

  private func write(_ result: SQLResult) {
    let output = Output.current
    defer {
      if result.hasMore {
        output.message("Only the first \(limit.counted("row")); --limit changes the number.")
      }
    }
    switch format {
    case .table:
      var table = TextTable(
        result.columns.enumerated().map { index, name in
          let values = result.rows.map { $0[index] }
          let isRight = values.allSatisfy { $0.isNull || $0.number != nil }
          return .init(title: name, isRight: isRight && !values.isEmpty)
        })
      for row in result.rows {
        table.add(row.map { $0.text(as: $0.guessedForm) ?? "NULL" })
      }
      table.write(to: output)
    case .json:
      output.line(JSONNode.array(result.rows.map { object($0, result) }).text(isIndented: true))
    case .ndjson:
      for row in result.rows { output.line(object(row, result).text()) }
    case .csv:
      output.writeDocument(CSVText.line(result.columns))
      for row in result.rows {
        output.writeDocument(CSVText.line(row.map { CSVText.text(of: $0, as: $0.guessedForm) }))
      }
    }
  }

  private func object(_ row: [InspectedValue], _ result: SQLResult) -> JSONNode {
    .object(zip(result.columns, row).map { JSONNode.Member($0, $1.json(as: $1.guessedForm)) })
  }
}
