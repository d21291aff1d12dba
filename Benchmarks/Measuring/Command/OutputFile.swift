import ArgumentParser
import Foundation

/// A file that is written when everything is measured: too late to learn that it cannot be.
enum OutputFile {
  static func check(_ path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw ValidationError("\(path) cannot be written: there is no such folder, or it is closed.")
    }
  }
}
