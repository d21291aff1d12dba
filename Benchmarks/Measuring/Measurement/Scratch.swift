import Dispatch
import Foundation

/// A folder for measured databases, removed afterwards, also after an interruption.
struct Scratch: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-bench-\(UUID().uuidString)").path
    Self.live.insert(path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    Self.live.remove(path)
  }

  private static let live = Live()

  /// The existing folders, which can contain many gigabytes.
  private final class Live: @unchecked Sendable {
    private let lock = NSLock()
    private var paths: Set<String> = []
    private var sources: [any DispatchSourceSignal] = []

    init() {
      sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [unowned self] in
          lock.withLock { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
          // The exit status by which shells report a signal.
          exit(128 + number)
        }
        source.resume()
        return source
      }
    }

    func insert(_ path: String) { _ = lock.withLock { paths.insert(path) } }
    func remove(_ path: String) { _ = lock.withLock { paths.remove(path) } }
  }
}
