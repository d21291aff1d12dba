import ArgumentParser
import Foundation
public import Workloads

/// Measures engines against the first of them, and tells what was found.
public struct Comparison: Sendable {
  let engines: [any Engine.Type]
  let options: ComparisonOptions

  /// - Parameter engines: the first is the base of ratios, the second is asked to pass the gate.
  public init(engines: [any Engine.Type], options: ComparisonOptions) {
    self.engines = engines
    self.options = options
  }

  /// Does all that the options ask for.
  public func run() async throws {
    // From a detached task: a hop from the main actor would be measured otherwise.
    let results = try await Task.detached { try await measure() }.value
    let report = Report(results: results, engines: engines, settings: options.settings)
    if let json = options.json { try report.json().write(to: URL(fileURLWithPath: json)) }
    if options.printJson {
      print(String(decoding: try report.json(), as: UTF8.self))
    } else {
      print(report.table)
    }
    if let gate = options.gate { try check(results, Gate(path: gate)) }
  }

  private func measure() async throws -> [WorkloadResult] {
    var results: [WorkloadResult] = []
    for workload in options.chosenWorkloads {
      FileHandle.standardError.write(Data("running \(workload.name) \(workload.title)\n".utf8))
      results.append(
        try await Measurement(workload, engines: engines, settings: options.settings).result())
    }
    return results
  }

  private func check(_ results: [WorkloadResult], _ gate: Gate) throws {
    guard engines.count > 1 else { return }
    let excesses = gate.excesses(of: engines[1].name, in: results)
    for excess in excesses { print("gate: \(excess)") }
    guard excesses.isEmpty else { throw ExitCode.failure }
    print("gate: every ratio is within its threshold")
  }
}
