internal import Foundation

/// The bytes of a package database, with clear errors for files that are not one.
package struct PackageFile: Sendable {
  package let path: String
  package let bytes: [UInt8]

  /// Reads the complete file. It is not mapped, because apt and dpkg can replace or truncate it at
  /// any moment.
  package init(path: String) throws(Unreadable) {
    self.path = path
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw Unreadable(path: path, reason: "there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw Unreadable(path: path, reason: "it is a directory")
    }
    do {
      bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw Unreadable(path: path, reason: error.localizedDescription)
    }
    if let compression = Self.compression(of: bytes) {
      throw Unreadable(path: path, reason: "it is compressed with \(compression); unpack it first")
    }
  }

  // Compressed files are the most likely mistake: apt stores compressed lists, and mirrors offer
  // only `Packages.gz` and `Packages.xz`.
  private static func compression(of bytes: [UInt8]) -> String? {
    let marks: [(name: String, mark: [UInt8])] = [
      ("gzip", [0x1F, 0x8B]),
      ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
      ("bzip2", [0x42, 0x5A, 0x68]),
      ("lz4", [0x04, 0x22, 0x4D, 0x18]),
      ("zstd", [0x28, 0xB5, 0x2F, 0xFD]),
    ]
    return marks.first { bytes.starts(with: $0.mark) }?.name
  }
}

extension PackageFile {
  package struct Unreadable: Error, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }

    package var description: String { "cannot read \(path): \(reason)" }
  }
}
