import Foundation

/// A temporary folder.
package struct TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-counts-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Creates a folder within this one.
  package func makeFolder() throws -> String {
    let folder = path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
