import Dispatch

/// Where files are read and written for tasks, so that no thread of the cooperative pool waits for
/// the disk.
enum FileThreads {
  private static let queue = DispatchQueue(label: "MagicData.files", attributes: .concurrent)

  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
