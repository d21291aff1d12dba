import ArgumentParser
import Foundation

/// Checks before a measurement that its output file can be written.
enum OutputFile {
  static func check(_ path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ValidationError("\(path) cannot be written: there is no such folder, or it is closed.")
    }
  }
}
