import Counting
import Foundation

/// Another process of this program, which counts.
struct Child {
  let pass: Pass
  let subjects: [String]

  /// - Parameter wrapper: A command that runs the program, with its options.
  func trials(program: String, wrapper: [String] = []) throws -> [Trial] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let output = folder.path + "/trials.json"
    let process = Process()
    let command =
      wrapper + [program, "--pass", pass.rawValue, "--output", output, "--subjects"] + subjects
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(
      // Sets and dictionaries then have the same order in each process.
      ["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(command: command[0], status: process.terminationStatus)
    }
    return try JSONDecoder().decode(
      [Trial].self, from: Data(contentsOf: URL(fileURLWithPath: output)))
  }

  struct Failure: Error, CustomStringConvertible {
    let command: String
    let status: Int32
    var description: String { "\(command) ended with status \(status)" }
  }
}
