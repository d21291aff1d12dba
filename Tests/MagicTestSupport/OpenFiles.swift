import Foundation

/// The files this process has open under a path.
public func openFiles(under path: String) -> [String] {
  let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  return numbers.compactMap {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
  }.filter { $0.hasPrefix(path) }
}
