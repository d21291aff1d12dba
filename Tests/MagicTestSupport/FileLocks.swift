import Foundation

/// The locks that this process has, as the system lists them.
public enum FileLocks {
  /// The locks on the files in a directory, at every depth: the kind and the file's name, sorted. A
  /// lock of an inherited descriptor counts for the process that created it.
  public static func under(_ path: String) throws -> [String] {
    var names: [UInt64: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
      guard let number = attributes?[.systemFileNumber] as? NSNumber else { continue }
      names[number.uint64Value] = name
    }
    return try own().compactMap { lock in
      names[lock.file].map { "\(lock.kind) \($0)" }
    }.sorted()
  }

  /// The list of each descriptor is consistent. The list of the whole system, `/proc/locks`, is not:
  /// locks of other processes that change while it is read hide others.
  private static func own() throws -> [(kind: String, file: UInt64)] {
    let process = "\(ProcessInfo.processInfo.processIdentifier)"
    let directory = "/proc/self/fdinfo"
    return try FileManager.default.contentsOfDirectory(atPath: directory).flatMap { descriptor in
      // The descriptor that lists the directory is already closed.
      let information = try? String(contentsOfFile: directory + "/" + descriptor, encoding: .utf8)
      return (information ?? "").split(separator: "\n").compactMap { lock($0, of: process) }
    }
  }

  /// Reads "lock:\t1: POSIX  ADVISORY  READ 4711 08:02:123456 128 128".
  private static func lock(
    _ line: Substring, of process: String
  ) -> (kind: String, file: UInt64)? {
    guard line.hasPrefix("lock:") else { return nil }
    let words = line.dropFirst(5).split(whereSeparator: \.isWhitespace).filter { $0 != "->" }
    guard words.count >= 6, words[4] == process,
      let file = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
    else { return nil }
    return ("\(words[1]) \(words[3])", file)
  }
}
