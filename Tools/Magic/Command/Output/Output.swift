import Foundation
import MagicInspection

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Where a command writes: its results, and separately its messages and progress.
public struct Output: Sendable {
  /// Writes a part of the results.
  let write: @Sendable (String) -> Void
  /// Writes a part of the messages.
  let writeMessage: @Sendable (String) -> Void
  /// The width of the terminal in columns; nil for unlimited, as in a pipe.
  let width: Int?
  /// Whether the results may have colours.
  let hasColours: Bool
  /// Whether the messages are on a terminal, where progress is drawn.
  let drawsProgress: Bool

  /// Creates an output, for a program that reads the results itself.
  public init(
    width: Int? = nil, hasColours: Bool = false, write: @escaping @Sendable (String) -> Void,
    writeMessage: @escaping @Sendable (String) -> Void
  ) {
    self.width = width
    self.hasColours = hasColours
    self.write = write
    self.writeMessage = writeMessage
    drawsProgress = false
  }

  private init(standard environment: [String: String]) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    write = { Output.send($0, to: STDOUT_FILENO) }
    writeMessage = { Output.send($0, to: STDERR_FILENO) }
    width = isTerminal ? Self.columns(environment) : nil
    hasColours = isTerminal && Self.permitsColours(environment)
    drawsProgress = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
  }

  /// The streams of the process.
  public static let standard = Output(standard: ProcessInfo.processInfo.environment)

  /// The output of the running command.
  @TaskLocal static var current = Output.standard

  /// Writes a line of the results.
  func line(_ text: String = "") { write(text + "\n") }

  /// Writes a document for another program. On a terminal, control characters in it are replaced.
  func writeDocument(_ text: String) { write(width == nil ? text : InspectedText.lines(text)) }

  /// Writes a line of the messages.
  func message(_ text: String) { writeMessage(text + "\n") }

  func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
  func faint(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

  /// Whether colours may be used: see https://no-color.org.
  static func permitsColours(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  private static func columns(_ environment: [String: String]) -> Int {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return max(20, Int(size.ws_col))
    }
    return max(20, Int(environment["COLUMNS"] ?? "") ?? 80)
  }

  private static func send(_ text: String, to descriptor: Int32) {
    guard let code = writingError(text, to: descriptor) else { return }
    let failure = failure(code)
    if let message = failure.message { _ = writingError(message + "\n", to: STDERR_FILENO) }
    exit(failure.status)
  }

  /// Writes a text to a descriptor.
  ///
  /// - Returns: the number of the system's error; nil if everything was written.
  package static func writingError(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { writeBytes($0, to: descriptor) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if count == 0 || errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return nil
  }

  /// How the process ends after an error of writing: with success if the reader has closed the
  /// pipe, as `head` does.
  package static func failure(_ code: Int32) -> (status: Int32, message: String?) {
    guard code != EPIPE else { return (ExitStatus.success, nil) }
    return (
      ExitStatus.failure, "The output cannot be written: \(String(cString: strerror(code)))."
    )
  }
}

/// The system's function, which has the name of a property of ``Output``.
private func writeBytes(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
