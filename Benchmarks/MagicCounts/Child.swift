import Counting
import Foundation

/// This program, run once more to count.
struct Child {
  let pass: Pass
  let subjects: [String]

  /// - Parameter wrapper: what runs the program, and its options.
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
      // Sets and dictionaries are then in the same order in each process.
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
