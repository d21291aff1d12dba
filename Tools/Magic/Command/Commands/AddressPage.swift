import Foundation
import MagicInspection

/// A file that a web browser opens, and that continues with an address. Other users of the computer
/// cannot read it; an address with a token as an argument of a process they could.
struct AddressPage {
  let file: URL

  /// Creates the file, in a directory of its own.
  init(_ address: String) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("magic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    file = directory.appendingPathComponent("open.html")
    let page = """
      <!doctype html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(address.markup)">
      <title>magic</title>
      <p><a href="\(address.markup)">Continue</a></p>

      """
    let isCreated = FileManager.default.createFile(
      atPath: file.path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
    guard isCreated else {
      throw CommandError(
        ExitStatus.failure,
        "The file for the web browser cannot be created. Open the address yourself.")
    }
  }

  /// Opens the file in the web browser of the user.
  func open() throws {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, file.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw CommandError(
        ExitStatus.failure, "The web browser cannot be opened. Open the address yourself.")
    }
  }

  /// Deletes the file.
  func remove() { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
}
