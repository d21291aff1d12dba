import Foundation
import KillProgram

/// The program while it runs.
final class StartedChild {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var written = Data()

  init(_ arguments: Arguments) throws {
    // Built into the directory that the tests are built into.
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("KillProgram")
    process.arguments = arguments.words
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// Waits until it has written so many lines.
  func read(lines: Int) {
    for _ in 0..<lines {
      while true {
        let byte = output.fileHandleForReading.readData(ofLength: 1)
        written += byte
        if byte.isEmpty || byte == Data("\n".utf8) { break }
      }
    }
  }

  /// Lets it go on where it waits for its input.
  func goOn() {
    if process.isRunning { input.fileHandleForWriting.write(Data("go on\n".utf8)) }
  }

  func kill() {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
  }

  /// Waits for its end.
  ///
  /// - Returns: what it has written, and the status that it ended with; nil where it was killed.
  func end() -> (output: Data, status: Int32?) {
    try? input.fileHandleForWriting.close()
    written += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let isKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
    return (written, isKilled ? nil : process.terminationStatus)
  }
}
