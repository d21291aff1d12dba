import Foundation
import Testing

/// A server of PostgreSQL in a temporary directory, which ends with its object.
final class ThrowawayServer: Sendable {
  let address: String
  private let input = Pipe()

  /// Whether the tests run: if PostgreSQL is installed, or if `MAGIC_POSTGRES=1` requires it.
  static var isTested: Bool {
    ProcessInfo.processInfo.environment["MAGIC_POSTGRES"] == "1"
      || FileManager.default.fileExists(atPath: "/usr/lib/postgresql")
      || FileManager.default.fileExists(atPath: "/opt/homebrew/opt/postgresql@15")
  }

  /// Starts a server. This takes seconds, in which the thread of a task would not be free.
  static func started() async throws -> ThrowawayServer {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try ThrowawayServer() })
      }
    }
  }

  private init() throws {
    let process = Process()
    process.executableURL =
      URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../throwaway-postgres").standardizedFileURL
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      guard !byte.isEmpty else { break }
      line += byte
    }
    address = String(decoding: line, as: UTF8.self)
    try #require(!address.isEmpty)
  }

  deinit { try? input.fileHandleForWriting.close() }
}
