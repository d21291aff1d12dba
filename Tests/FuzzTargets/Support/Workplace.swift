import Foundation

/// The folders of one run: one in which the database lies, and what lies around it, which nobody is to
/// touch.
final class Workplace {
  let path: String
  /// What must not be read, written or removed.
  static let secret = Array("what lies outside is nobody's business".utf8)

  /// In memory, where the system has a place for that: nothing here is to outlive a loss of power.
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

  /// The file of the database.
  var database: String { path + "/data/main.sqlite3" }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// - Throws: `Finding` where anything outside the database's folder came, went or has changed.
  func checkSurroundings() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    guard names == ["data", "outside"] else {
      throw Finding("outside of the folder there are now \(names)")
    }
    guard Array(try Data(contentsOf: URL(fileURLWithPath: path + "/outside"))) == Self.secret else {
      throw Finding("a file outside of the folder was written to")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: path + "/data")
    where !name.hasPrefix("main.sqlite3") && !name.hasPrefix("copy.sqlite3") {
      throw Finding("beside the database there is now \(name)")
    }
  }
}
