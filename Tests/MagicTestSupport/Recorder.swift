package import Logging
package import MagicRuntime

/// Records events, such as SQL statements, which any thread may report, in their order.
package final class Recorder<Event: Sendable>: Locked, @unchecked Sendable {
  private var events: [Event] = []

  package override init() { super.init() }

  package func note(_ event: Event) { withLock { events.append(event) } }
  package func clear() { withLock { events.removeAll() } }
  package var all: [Event] { withLock { events } }
  package var count: Int { withLock { events.count } }
}

extension Recorder<String> {
  /// The statements that do more than begin or end a transaction or read a setting of the connection.
  package var work: [String] {
    all.filter { line in
      !["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--"].contains { line.hasPrefix($0) }
    }
  }

  /// The statements that write.
  package var writes: [String] {
    work.filter { line in ["INSERT", "UPDATE", "DELETE"].contains { line.hasPrefix($0) } }
  }

  package func contains(_ text: String) -> Bool { all.contains { $0.contains(text) } }

  /// A logger whose messages are recorded.
  ///
  /// - Parameter withMetadata: whether an event is the message with its metadata, or only the
  ///   message.
  package func logger(
    level: Logger.Level = .trace, withMetadata: Bool = false
  ) -> Logger {
    Logger(label: "test") { _ in
      RecordingHandler(recorder: self, withMetadata: withMetadata, logLevel: level)
    }
  }
}

private struct RecordingHandler: LogHandler {
  let recorder: Recorder<String>
  let withMetadata: Bool
  var logLevel: Logger.Level
  var metadata = Logger.Metadata()

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    recorder.note(
      withMetadata ? "\(event.message) \(event.metadata ?? [:])" : "\(event.message)")
  }
}
