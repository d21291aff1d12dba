import Foundation

/// The revision of the sources beside which the program runs: those it was built from, unless they
/// were changed since.
enum Revision {
  /// `d78502f3c1a0`, with `-dirty` where something is not committed; nil where there is none.
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
