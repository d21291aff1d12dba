import Foundation

/// What a run of the benchmark found, for people and for programs.
struct Report: Sendable {
  /// In the order they were measured.
  let results: [WorkloadResult]
  /// The first is the base of ratios.
  let engines: [EngineName]
  /// Who is to reach the targets; it need not be among the engines.
  let judged: String
  let settings: Measurement.Settings
  let machine: Machine

  /// An engine's name and version.
  struct EngineName: Codable, Sendable {
    let name: String
    let version: String
  }

  /// What was measured, in a line.
  var heading: String {
    let runs = settings.runs
    return
      "\(settings.count.grouped) people, \(runs) \(runs == 1 ? "run" : "runs") after one to warm up"
  }

  /// The figures for people, as Markdown.
  var text: String {
    let machine = machine.lines.map { "- \($0.name): \($0.value)" }.joined(separator: "\n")
    let engines = engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return [
      "\(heading): \(engines)", machine, ratios.markdown, latencies?.markdown,
    ].compactMap { $0 }.joined(separator: "\n\n")
  }

  /// The chart, as a picture of its own.
  var svg: String { Chart(ChartData(self)).svg.text + "\n" }

  /// A page with the chart, the tables and the machine.
  var html: String { Page(report: self).html }

  /// Everything for programs.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(report: self))
  }
}
