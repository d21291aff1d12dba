import ArgumentParser
import Foundation
public import Workloads

/// Measures engines relative to the first of them, and reports the results.
public struct Comparison: Sendable {
  let engines: [any Engine.Type]
  let judged: any Engine.Type
  let options: ComparisonOptions

  /// - Parameters:
  ///   - engines: the first is the base of ratios.
  ///   - judged: The engine with targets, which must pass the gate.
  public init(
    engines: [any Engine.Type], judged: any Engine.Type, options: ComparisonOptions
  ) {
    self.engines = engines
    self.judged = judged
    self.options = options
  }

  /// Performs the comparison that the options specify.
  public func run() async throws {
    let gate = try options.readGate()
    guard gate == nil || engines.contains(where: { $0 == judged }) else {
      throw ValidationError("--gate judges \(judged.name), which is not among the engines.")
    }
    // Before the measurement, because sources can change during it.
    let machine = Machine.current()
    // In a detached task, because hops from the main actor would be measured otherwise.
    let results = try await Task.detached { try await measure(options.chosenWorkloads) }.value
    let report = Report(
      results: results, engines: names(in: results),
      judged: judged.name, settings: options.settings, machine: machine)
    try write(report)
    if options.printJson {
      print(String(decoding: try report.json(), as: UTF8.self))
    } else {
      print(report.text)
    }
    if let gate { try check(try await repeated(results, gate), gate) }
  }

  /// The engines that support one of the workloads.
  private func names(in results: [WorkloadResult]) -> [Report.EngineName] {
    engines.filter { engine in results.contains { $0.result(of: engine.name) != nil } }
      .map { .init(name: $0.name, version: $0.version) }
  }

  /// Measures the workloads above their limits a second time, because other processes can slow the
  /// runs of one engine. The second results replace the first.
  private func repeated(_ results: [WorkloadResult], _ gate: Gate) async throws -> [WorkloadResult]
  {
    let exceeding = results.filter {
      !gate.excesses(of: judged.name, in: [$0], areAll: false).isEmpty
    }
    .map(\.name)
    guard !exceeding.isEmpty else { return results }
    print("gate: measuring again: \(exceeding.joined(separator: ", "))")
    let again = try await Task.detached {
      try await measure(options.chosenWorkloads.filter { exceeding.contains($0.name) })
    }
    .value
    return results.map { result in again.first { $0.name == result.name } ?? result }
  }

  private func measure(_ workloads: [Workload]) async throws -> [WorkloadResult] {
    var results: [WorkloadResult] = []
    let measurements = workloads.map {
      Measurement($0, engines: engines, settings: options.settings)
    }
    var bar = ProgressBar(total: measurements.reduce(0) { $0 + $1.rounds })
    for (workload, measurement) in zip(workloads, measurements) {
      bar.begin(workload.name, workload.title)
      results.append(try await measurement.result { bar.run($0) })
    }
    bar.end()
    return results
  }

  private func write(_ report: Report) throws {
    if let json = options.json { try report.json().write(to: URL(fileURLWithPath: json)) }
    if let svg = options.svg { try Data(report.svg.utf8).write(to: URL(fileURLWithPath: svg)) }
    if let html = options.html {
      try Data(report.html.utf8).write(to: URL(fileURLWithPath: html))
    }
  }

  private func check(_ results: [WorkloadResult], _ gate: Gate) throws {
    try Verdict.tell(
      gate.excesses(of: judged.name, in: results, areAll: options.choosesAllWorkloads),
      otherwise: "every ratio is within its threshold")
  }
}
