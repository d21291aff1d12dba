public import Foundation

/// A private, empty directory, removed with its contents when the object is freed.
///
/// Keep the object for as long as its files are needed; `withTemporaryDirectory` does so by itself.
public final class TemporaryDirectory: Sendable {
  /// The path of the directory.
  public let url: URL

  /// Creates a separate directory that only this user can read.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// The URL of a file in the directory; nothing is created.
  public func file(_ name: String) -> URL {
    url.appendingPathComponent(name, isDirectory: false)
  }

  /// Removes the directory with everything in it, for one that is kept until the process ends.
  public func remove() {
    makeFoldersWritable()
    try? FileManager.default.removeItem(at: url)
  }

  deinit { remove() }

  // A test may have removed the permissions that the removal needs.
  private func makeFoldersWritable() {
    open(url)
    let everything = FileManager.default.enumerator(
      at: url, includingPropertiesForKeys: [.isDirectoryKey])
    while let item = everything?.nextObject() as? URL {
      let values = try? item.resourceValues(forKeys: [.isDirectoryKey])
      if values?.isDirectory == true { open(item) }
    }
  }

  private func open(_ folder: URL) {
    try? FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.path)
  }
}

/// Runs the body with the URL of a private, empty directory, and removes the directory afterwards.
public func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let directory = try TemporaryDirectory()
  return try withExtendedLifetime(directory) { try body(directory.url) }
}

/// Runs the body with the URL of a private, empty directory, and removes the directory afterwards.
public func withTemporaryDirectory<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (URL) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.url)
}
