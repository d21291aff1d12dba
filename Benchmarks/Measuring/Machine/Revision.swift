import Foundation

/// The revision of the repository that contains the program, from which it was built unless the
/// sources have changed since.
enum Revision {
  /// For example `d78502f3c1a0`, with `-dirty` if there are uncommitted changes; nil without a
  /// repository.
  static var current: String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "git", "-C", URL(fileURLWithPath: #filePath).deletingLastPathComponent().path,
      "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
