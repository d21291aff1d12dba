public import ArgumentParser
import Foundation
public import Workloads

/// The options of a measurement of growth.
public struct ScalingOptions: ParsableArguments, Sendable {
  @Option(parsing: .upToNextOption, help: "The sizes to measure: 10k, 1M or 250000.")
  var rows = ["10k", "100k", "1M", "10M"].compactMap(RowCount.init(argument:))

  @Option(help: "Runs of each size. (default: 3 up to a million rows, 1 beyond)")
  var runs: Int?

  @Option(help: "Write the results to this file as JSON.")
  var json: String?

  @Flag(help: "Fail where a ratio, or the memory of a stream, grows with the rows.")
  var gate = false

  /// The defaults.
  public init() {}

  /// Refuses invalid options.
  public func validate() throws {
    guard rows.allSatisfy({ $0.rows >= 1_000 }) else {
      throw ValidationError("--rows are at least 1000.")
    }
    guard runs ?? 1 >= 1 else { throw ValidationError("--runs is at least 1.") }
    guard !gate || Set(rows.map(\.rows)).count > 1 else {
      throw ValidationError("--gate compares sizes: --rows are two at least.")
    }
    try json.map(OutputFile.check)
  }

  /// Measures engines relative to the first of them, and reports the results.
  ///
  /// - Parameter judged: The engine that must pass the gate.
  public func run(engines: [any Engine.Type], judged: any Engine.Type) async throws {
    let sizes = rows.sorted { $0.rows < $1.rows }
    let machine = Machine.current()
    let measurement = ScalingMeasurement(engines: engines, sizes: sizes, runs: runs)
    let report = ScalingReport(
      engines: engines.map { .init(name: $0.name, version: $0.version) },
      results: try await Task.detached { try await measurement.results() }.value,
      machine: machine)
    if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
    print(report.text)
    if gate {
      try Verdict.tell(
        report.excesses(of: judged.name), otherwise: "nothing grows faster than the C calls")
    }
  }
}
