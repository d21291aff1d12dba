import Counting
import Foundation

/// Counts the instructions of this program.
struct Valgrind {
  private let valgrind: String
  private let strip: String

  /// - Throws: ``Missing`` if one of the tools is not installed.
  init() throws {
    valgrind = try Self.find("valgrind")
    strip = try Self.find("strip")
  }

  struct Missing: Error {
    let tool: String
  }

  /// The trials of the subjects, which contain only instructions.
  func trials(of subjects: [String], program: String) throws -> [Trial] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // Valgrind cannot read this kind of debug information.
    let stripped = folder.path + "/" + URL(fileURLWithPath: program).lastPathComponent
    try run(strip, ["-g", "-o", stripped, program])
    let dumps = folder.path + "/dump"
    let trials = try Child(pass: .instructions, subjects: subjects).trials(
      program: stripped,
      wrapper: [
        valgrind, "--tool=callgrind", "--callgrind-out-file=\(dumps)",
        "--dump-before=magic_counts_lap", "--log-file=\(folder.path)/log",
      ])
    return try withInstructions(trials, dumps)
  }

  /// Adds the instructions of the dumps. Each run is between two markers, so every second dump is a
  /// run.
  private func withInstructions(_ trials: [Trial], _ dumps: String) throws -> [Trial] {
    var dump = 0
    func next() throws -> Int {
      dump += 2
      return try Self.total(in: "\(dumps).\(dump)")
    }
    return try trials.map { trial in
      var trial = trial
      trial.few.instructions = try trial.few.readings.map { _ in try next() }
      trial.many.instructions = try trial.many.readings.map { _ in try next() }
      // Valgrind counts nothing else.
      (trial.few.readings, trial.many.readings) = ([], [])
      (trial.few.held, trial.many.held) = (nil, nil)
      return trial
    }
  }

  /// The number in the line `totals: 5` of a dump.
  private static func total(in path: String) throws -> Int {
    let key = "totals: "
    let dump = try String(contentsOfFile: path, encoding: .utf8)
    guard let line = dump.split(separator: "\n").last(where: { $0.hasPrefix(key) }),
      let total = Int(line.dropFirst(key.count))
    else { throw CocoaError(.fileReadCorruptFile) }
    return total
  }

  private static func find(_ tool: String) throws -> String {
    let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
    let paths = folders.map { "\($0)/\(tool)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw Missing(tool: tool)
    }
    return path
  }

  private func run(_ tool: String, _ arguments: [String]) throws {
    let process = try Process.run(URL(fileURLWithPath: tool), arguments: arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Child.Failure(command: tool, status: process.terminationStatus)
    }
  }
}
