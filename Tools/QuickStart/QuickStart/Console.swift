import Foundation

/// The two streams of the command.
enum Console {
  static func write(_ line: String = "") { print(line) }

  /// Flushes the output, also if the reader is a program.
  static func flush() { fflush(nil) }

  // Errors are ignored, so that a closed pipe does not stop a save.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
