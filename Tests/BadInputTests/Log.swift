import Foundation
import Logging

/// Collects what is logged.
final class Log: @unchecked Sendable {
  private let lock = NSLock()
  private var collected: [String] = []

  var lines: [String] { lock.withLock { collected } }

  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: Log
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.lock.withLock { log.collected.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }
}
