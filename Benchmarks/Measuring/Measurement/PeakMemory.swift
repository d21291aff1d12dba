import Foundation

/// How much memory the process takes at most while something runs.
enum PeakMemory {
  /// - Returns: what the body returns, and the bytes by which the process grew at most; nil where
  ///   the system does not tell.
  static func measured<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> (Result, growth: Int?) {
    let start = begin()
    let result = try await body()
    guard let start, let peak = resident("VmHWM:") else { return (result, nil) }
    return (result, max(0, peak - start))
  }

  /// Lets the allocator give back what it keeps, and the system forget the peak.
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
