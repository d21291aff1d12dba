public import Foundation
public import Workloads

/// What a run of the benchmark found, for people and for programs.
public struct Report: Sendable {
  /// In the order they were measured.
  public let results: [WorkloadResult]
  let engines: [EngineName]
  let settings: Measurement.Settings
  let machine: Machine

  /// An engine's name and version.
  struct EngineName: Codable, Sendable {
    let name: String
    let version: String
  }

  /// - Parameter engines: the first is the base of ratios, the second is asked to reach the targets.
  public init(
    results: [WorkloadResult], engines: [any Engine.Type], settings: Measurement.Settings
  ) {
    self.init(
      results: results, engines: engines.map { EngineName(name: $0.name, version: $0.version) },
      settings: settings, machine: .current())
  }

  init(
    results: [WorkloadResult], engines: [EngineName], settings: Measurement.Settings,
    machine: Machine
  ) {
    self.results = results
    self.engines = engines
    self.settings = settings
    self.machine = machine
  }

  /// What was measured, in a line.
  var heading: String {
    let runs = settings.runs
    return
      "\(settings.count.grouped) people, \(runs) \(runs == 1 ? "run" : "runs") after one to warm up"
  }

  /// The figures for people, as Markdown.
  public var text: String {
    let machine = machine.lines.map { "- \($0.name): \($0.value)" }.joined(separator: "\n")
    let engines = engines.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return [
      "\(heading): \(engines)", machine, ratios.markdown, latencies?.markdown,
    ].compactMap { $0 }.joined(separator: "\n\n")
  }

  /// The chart, as a picture of its own.
  public var svg: String { Chart(ChartData(self)).svg.text + "\n" }

  /// A page with the chart, the tables and the machine.
  public var html: String { Page(report: self).html }

  /// Everything for programs.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(report: self))
  }
}
