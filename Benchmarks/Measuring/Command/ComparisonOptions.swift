public import ArgumentParser
import Foundation
public import Workloads

/// The options of a comparison of engines.
public struct ComparisonOptions: ParsableArguments, Sendable {
  @Option(parsing: .upToNextOption, help: "The workloads to run: \(Workload.names).")
  var workloads: [String] = []

  @Option(help: "People in the database, or members in teams of ten.")
  var count = 100_000

  @Option(help: "Measured runs of each workload, after one to warm up.")
  var runs = 7

  @Option(help: "What commits promise, in place of each workload's own: normal or full.")
  var durability: Durability?

  @Option(help: "Write the results to this file as JSON.")
  var json: String?

  @Flag(help: "Print the JSON in place of the table.")
  var printJson = false

  @Option(help: "Draw the ratios as a chart into this file, as SVG.")
  var svg: String?

  @Option(help: "Write a page with the chart, the tables and the machine to this file, as HTML.")
  var html: String?

  @Option(help: "Fail where a chosen workload exceeds its limit in this file.")
  var gate: String?

  @Flag(help: "Leave out the latencies of single operations.")
  var noLatencies = false

  /// The defaults.
  public init() {}

  /// Refuses invalid options before anything is measured.
  public func validate() throws {
    guard count >= 1_000 else { throw ValidationError("--count is at least 1000.") }
    guard runs >= 1 else { throw ValidationError("--runs is at least 1.") }
    for name in names where !Workload.all.contains(where: { $0.name == name }) {
      throw ValidationError("There is no workload \(name); there are \(Workload.names).")
    }
    for file in [json, svg, html].compactMap(\.self) { try OutputFile.check(file) }
    _ = try readGate()
  }

  func readGate() throws -> Gate? {
    guard let gate else { return nil }
    do { return try Gate(path: gate) } catch {
      throw ValidationError("\(gate) cannot be read as JSON of names and numbers.")
    }
  }

  /// The names of workloads, separated by commas or spaces.
  private var names: [String] {
    workloads.flatMap { $0.split(separator: ",").map(String.init) }
  }

  var settings: Measurement.Settings {
    var settings = Measurement.Settings()
    settings.count = count
    settings.runs = runs
    settings.durability = durability
    settings.latencies = !noLatencies
    return settings
  }

  var choosesAllWorkloads: Bool { chosenWorkloads.count == Workload.all.count }

  /// The chosen workloads, in the order of tables.
  var chosenWorkloads: [Workload] {
    Workload.all.filter { names.isEmpty || names.contains($0.name) }
  }
}

extension Durability: ExpressibleByArgument {
  /// Parses `normal` or `full` in any case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
