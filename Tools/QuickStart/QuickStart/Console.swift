import Foundation

/// The two streams of the command.
enum Console {
  static func write(_ line: String = "") { print(line) }

  /// Brings what was written to its reader now, also where that is a program.
  static func flush() { fflush(nil) }

  // A reader that went away is no reason to stop saving.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
