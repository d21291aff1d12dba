import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The two streams of the command.
enum Console {
  /// Whether the output is shown by a terminal that understands control codes.
  static let isTerminal =
    isatty(STDOUT_FILENO) != 0
    && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")

  static func write(_ line: String = "") { print(line) }

  /// Flushes the output, also if the reader is a program.
  static func flush() { fflush(nil) }

  // Errors are ignored, so that a closed pipe does not stop a save.
  static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
