import Foundation

/// The directory of a run: the database in a subdirectory, and a file outside of it that no call
/// may access.
final class RunDirectory {
  let path: String
  /// The contents of that file. Asset names in the inputs contain its length, 38 bytes.
  static let secret = Array("contents of a file outside the folder!".utf8)

  /// Creates the directory, in a file system in memory if there is one.
  init() throws {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = "\(parent)/magic-fuzz-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path + "/data", withIntermediateDirectories: true)
    try write(Self.secret, to: "outside")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of the database.
  var database: String { path + "/data/main.sqlite3" }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// - Throws: `Finding` if a file outside of the database's folder was created, deleted or
  ///   changed.
  func checkOutside() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    guard names == ["data", "outside"] else {
      throw Finding("files outside of the folder: \(names)")
    }
    guard Array(try Data(contentsOf: URL(fileURLWithPath: path + "/outside"))) == Self.secret else {
      throw Finding("a file outside of the folder was written to")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/data")
    where !name.hasPrefix("main.sqlite3") && !name.hasPrefix("copy.sqlite3") {
      throw Finding("a new file next to the database: \(name)")
    }
  }
}
