import ArgumentParser
import Foundation

/// Runs the workloads against the library and its raw-C twin in one process, interleaved.
@main
struct MagicBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magic-bench",
    abstract: "Measures MagicData against hand-written C calls to SQLite, in one process.")

  @Option(help: "The workloads to run: \(Workload.names).")
  var workloads: [String] = Workload.all.map(\.name)

  @Option(help: "People in the database, or members in teams of ten.")
  var count = 100_000

  @Option(help: "Measured runs of each workload, after one to warm up.")
  var runs = 7

  @Option(help: "Write the results to this file as JSON.")
  var json: String?

  @Option(help: "Fail where a ratio exceeds the one in this file.")
  var gate: String?

  @Flag(help: "Print the JSON in place of the table.")
  var printJson = false

  func validate() throws {
    guard count >= 1_000 else { throw ValidationError("--count is at least 1000.") }
    guard runs >= 1 else { throw ValidationError("--runs is at least 1.") }
    for name in workloads where !Workload.all.contains(where: { $0.name == name }) {
      throw ValidationError("There is no workload \(name); there are \(Workload.names).")
    }
  }

  func run() async throws {
    let settings = self
    // From a detached task: a hop from the main actor would be measured otherwise.
    let results = try await Task.detached { try await settings.measure() }.value
    let report = Report(results: results, count: count, runs: runs)
    if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
    if printJson {
      print(String(decoding: try report.json(), as: UTF8.self))
    } else {
      print(report.table())
    }
    if let gate {
      let excesses = try Gate(path: gate).excesses(in: results)
      for excess in excesses { print("gate: \(excess)") }
      guard excesses.isEmpty else { throw ExitCode.failure }
      print("gate: every ratio is within its threshold")
    }
  }

  private func measure() async throws -> [WorkloadResult] {
    var results: [WorkloadResult] = []
    for workload in Workload.all where workloads.contains(workload.name) {
      let progress = "\(workload.name) \(workload.title)"
      FileHandle.standardError.write(Data("running \(progress)\n".utf8))
      results.append(
        try await Measurement(workload: workload, count: count, runs: runs).result())
    }
    return results
  }
}
