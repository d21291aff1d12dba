import Foundation

/// The results of a run of the benchmark, as text and as JSON.
struct Report: Sendable {
  /// The results in the order of measurement.
  let results: [WorkloadResult]
  /// The engines; the first is the base of ratios.
  let engines: [EngineName]
  /// The engine with targets, which is not necessarily measured.
  let judged: String
  let settings: Measurement.Settings
  let machine: Machine

  /// An engine's name and version.
  struct EngineName: Codable, Sendable {
    let name: String
    let version: String
  }

  /// A line that describes the measurement.
  var heading: String {
    let runs = settings.runs
    return
      "\(settings.count.grouped) people, \(runs) \(runs == 1 ? "run" : "runs") after one to warm up"
  }

  /// The results as Markdown.
  var text: String {
    let machine = machine.lines.map { "- \($0.name): \($0.value)" }.joined(separator: "\n")
    let engines = engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return [
      "\(heading): \(engines)", machine, ratios.markdown, latencies?.markdown,
    ].compactMap { $0 }.joined(separator: "\n\n")
  }

  /// The chart as a separate picture.
  var svg: String { Chart(ChartData(self)).svg.text + "\n" }

  /// A page with the chart, the tables and the machine.
  var html: String { Page(report: self).html }

  /// All results as JSON.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(report: self))
  }
}
