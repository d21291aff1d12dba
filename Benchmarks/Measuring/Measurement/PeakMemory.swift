import Foundation

/// The peak memory of the process during a call.
enum PeakMemory {
  /// - Returns: The result of the body, and the maximum growth of the process in bytes; nil if the
  ///   system does not report it.
  static func measured<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> (Result, growth: Int?) {
    let start = begin()
    let result = try await body()
    guard let start, let peak = resident("VmHWM:") else { return (result, nil) }
    return (result, max(0, peak - start))
  }

  /// Returns free memory to the system, and resets the peak.
  private static func begin() -> Int? {
    #if os(Linux)
      Allocator.purge()
      guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
      fputs("5", file)
      guard fclose(file) == 0 else { return nil }
      return resident("VmRSS:")
    #else
      return nil
    #endif
  }

  private static func resident(_ key: String) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key) }),
      let kilobytes = Int(line.split(whereSeparator: \.isWhitespace)[1])
    else { return nil }
    return kilobytes << 10
  }
}
