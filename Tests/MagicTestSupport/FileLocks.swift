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

  private static func own() throws -> [(kind: String, file: UInt64)] {
    let process = "\(ProcessInfo.processInfo.processIdentifier)"
    // "1: POSIX  ADVISORY  READ 4711 08:02:123456 128 128"
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        let words = line.split(separator: " ").filter { $0 != "->" }
        guard words.count >= 6, words[4] == process,
          let file = words[5].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        return ("\(words[1]) \(words[3])", file)
      }
  }
}
