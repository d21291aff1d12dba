import Foundation
import MagicFiles
import MagicSchema

/// The values of attributes with external storage. The first byte of such a value says where its
/// bytes are: in the value, or in a file next to the store.
struct ExternalFiles {
  enum Place: Equatable {
    case inline(ArraySlice<UInt8>)
    case file(String)
  }

  private let files: DiskFileSystem

  /// - Parameter path: the path of the store.
  init(store path: String) {
    let url = URL(fileURLWithPath: path)
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
      .appendingPathComponent("_EXTERNAL_DATA")
    files = DiskFileSystem(root: folder.path, durability: .none)
  }

  /// Returns where the bytes of a value are; nil if its form is unknown.
  static func place(of value: [UInt8]) -> Place? {
    switch value.first {
    case 1: return .inline(value[1...])
    case 2:
      let name = value.dropFirst().prefix { $0 != 0 }
      // The name is a UUID. A name with other characters could be a path.
      guard (1...64).contains(name.count), name.allSatisfy(\.isNameCharacter) else { return nil }
      return .file(String(decoding: name, as: UTF8.self))
    default: return nil
    }
  }

  /// Opens a file.
  func open(_ name: String) throws -> any ReadableFile {
    do {
      return try files.open(name)
    } catch {
      throw MagicError(
        .assetMissing, "The file \(name) with a value of the store cannot be read.", cause: error)
    }
  }

  /// Reads a file.
  func read(_ name: String) throws -> [UInt8] {
    let file = try open(name)
    defer { file.close() }
    var bytes: [UInt8] = []
    try file.forEachPiece { bytes += $0 }
    return bytes
  }
}

extension UInt8 {
  fileprivate var isNameCharacter: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
