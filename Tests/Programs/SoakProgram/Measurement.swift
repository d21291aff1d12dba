import CMemory
import Foundation

/// The use of memory, descriptors, threads and disk space at a moment.
struct Measurement: Sendable {
  let resident: Int
  let allocated: Int
  let descriptors: Int
  let threads: Int
  let log: Int
  let directory: Int

  init(of path: String) {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    resident =
      (pages?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    allocated = Int(cmemory_bytes_in_use())
    descriptors = Self.count("/proc/self/fd")
    threads = Self.count("/proc/self/task")
    log = Self.size(path + "-wal")
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let files = FileManager.default.enumerator(atPath: folder)
    var size = 0
    while let name = files?.nextObject() as? String { size += Self.size("\(folder)/\(name)") }
    directory = size
  }

  private static func count(_ directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
  }

  // The file may have been deleted.
  private static func size(_ path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return Int(status.st_size)
  }
}
