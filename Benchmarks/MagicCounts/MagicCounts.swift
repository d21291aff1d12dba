import ArgumentParser
import CAllocations
import Counting
import Foundation

/// Counts the exact costs of each operation of the library and of its raw-C twin, in numbers that
/// do not depend on the load of the machine.
@main
struct MagicCounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "magic-counts",
    abstract: "Counts statements, rows, allocations and instructions of MagicData and of C calls.")

  @Option(
    parsing: .upToNextOption,
    help: "What to count: \(Subject.all(scale: 1).map(\.name).joined(separator: ", ")).")
  var subjects: [String] = Subject.all(scale: 1).map(\.name)

  @Option(help: "Write the counts to this file as JSON.")
  var json: String?

  @Option(help: "Fail where the library takes more than this file allows.")
  var gate: String?

  @Option(help: "Write what the library takes to this file, for the gate.")
  var record: String?

  @Flag(inversion: .prefixedNo, help: "Count instructions too, where valgrind is here.")
  var instructions = true

  @Flag(help: "Print the JSON in place of the table.")
  var printJson = false

  @Option(help: .hidden)
  var pass: Pass?

  @Option(help: .hidden)
  var output: String?

  func validate() throws {
    let names = Subject.all(scale: 1).map(\.name)
    for name in subjects where !names.contains(name) {
      throw ValidationError(
        "There is nothing to count named \(name); there are \(names.joined(separator: ", ")).")
    }
    guard record == nil || Set(subjects) == Set(names) else {
      throw ValidationError("--record writes what all subjects take: leave out --subjects.")
    }
    guard record == nil || instructions else {
      throw ValidationError("--record writes instructions too: leave out --no-instructions.")
    }
  }

  func run() throws {
    guard #available(macOS 15, *) else { throw ValidationError("magic-counts needs macOS 15.") }
    if let pass, let output { return try count(pass, output: output) }
    let (counts, measures) = try counts()
    if let json { try report(counts).write(to: URL(fileURLWithPath: json)) }
    print(
      printJson
        ? String(decoding: try report(counts), as: UTF8.self)
        : CountTable(counts: counts, measures: measures).text)
    if let record {
      guard measures == Measure.allCases else {
        throw ValidationError("--record needs all counts, and so Linux and valgrind.")
      }
      try CountGate(recorded: counts.ofLibrary).write(path: record)
    }
    if let gate { try check(CountGate(path: gate), counts, measures) }
  }

  /// Counts in separate processes, and returns the counts and the measures that this system
  /// supports.
  private func counts() throws -> (Counts, [Measure]) {
    guard let program = Bundle.main.executablePath else { throw CocoaError(.fileNoSuchFile) }
    var measures: [Measure] = [.statements, .rows]
    if magic_count_allocations() {
      measures += [.allocations, .allocated, .held]
    } else {
      tell("allocations: not counted, this system does not report them to programs")
    }
    var trials = try Child(pass: .allocations, subjects: subjects).trials(program: program)
    if instructions {
      do {
        let valgrind = try Valgrind()
        trials += try valgrind.trials(of: subjects, program: program)
        measures.append(.instructions)
      } catch let missing as Valgrind.Missing {
        tell("instructions: not counted, \(missing.tool) is not installed")
      }
    }
    let chosen = Subject.all(scale: 1).filter { subjects.contains($0.name) }
    return (Counts(chosen, trials, measures: measures), measures)
  }

  private func report(_ counts: Counts) throws -> Data { try CountReport(counts).json() }

  private func check(_ gate: CountGate, _ counts: Counts, _ measures: [Measure]) throws {
    let excesses =
      counts.inexact.map { "\($0) did not count the same in each run" }
      + gate.excesses(in: counts.ofLibrary, measures: measures)
    for excess in excesses { print("gate: \(excess)") }
    guard excesses.isEmpty else { throw ExitCode.failure }
    print("gate: no operation takes more than is allowed")
  }

  private func tell(_ sentence: String) {
    FileHandle.standardError.write(Data("\(sentence)\n".utf8))
  }

  /// Runs the work of a child process.
  @available(macOS 15, *)
  private func count(_ pass: Pass, output: String) throws {
    try pass.begin()
    let trials = try Tally(
      subjects: Subject.all(scale: pass.scale).filter { subjects.contains($0.name) },
      runs: pass.runs
    ).trials()
    try JSONEncoder().encode(trials).write(to: URL(fileURLWithPath: output))
  }
}
