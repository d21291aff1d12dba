public import Foundation
public import Workloads

/// What a run of the benchmark found, for people and for programs.
public struct Report: Sendable {
  /// In the order they were measured.
  public let results: [WorkloadResult]
  let engines: [EngineName]
  let settings: Measurement.Settings
  let machine = Machine.current

  /// An engine's name and version.
  struct EngineName: Codable, Sendable {
    let name: String
    let version: String
  }

  /// - Parameter engines: the first is the base of ratios.
  public init(
    results: [WorkloadResult], engines: [any Engine.Type], settings: Measurement.Settings
  ) {
    self.results = results
    self.engines = engines.map { EngineName(name: $0.name, version: $0.version) }
    self.settings = settings
  }

  var heading: String {
    "\(settings.count) people, \(settings.runs) runs after a warm-up, SQLite \(machine.sqlite), "
      + "Swift \(machine.swift), \(machine.system), \(machine.cores) cores"
  }

  /// The figures for people, as Markdown.
  public var table: String { ReportTable(report: self).text }

  /// Everything for programs.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(report: self))
  }
}
