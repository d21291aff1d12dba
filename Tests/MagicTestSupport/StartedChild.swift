package import Foundation

/// A program of the package while it runs.
package final class StartedChild {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var written = Data()

  /// - Parameters:
  ///   - program: its name, which is that of its target.
  ///   - environment: the environment variables that differ from those of this process.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    // Built into the directory that the tests are built into.
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// Waits until it has written a number of lines.
  package func read(lines: Int) {
    for _ in 0..<lines {
      while true {
        let byte = output.fileHandleForReading.readData(ofLength: 1)
        written += byte
        if byte.isEmpty || byte == Data("\n".utf8) { break }
      }
    }
  }

  /// Lets it continue if it waits for its input.
  package func allowToContinue() {
    if process.isRunning { input.fileHandleForWriting.write(Data("continue\n".utf8)) }
  }

  package func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its end.
  ///
  /// - Returns: its output, and its exit status; nil if it was killed.
  package func end() -> (output: Data, status: Int32?) {
    try? input.fileHandleForWriting.close()
    written += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    return (written, isKilled ? nil : process.terminationStatus)
  }
}
