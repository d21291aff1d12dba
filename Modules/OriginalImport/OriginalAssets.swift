import DatabaseTransfer
import Foundation
import MagicFiles
import MagicSchema

/// The files of the assets of an original database.
///
/// The database has their absolute paths, and they are next to it. Only their names are used: the paths
/// are wrong after the folder was moved, and a path of another folder could name any file.
struct OriginalAssets {
  private let files: DiskFileSystem

  /// - Parameter path: the path of the database.
  init(besides path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    files = DiskFileSystem(root: folder, durability: .none)
  }

  func size(of value: ForeignValue) throws -> Int {
    let file = try open(value)
    defer { file.close() }
    return file.size
  }

  /// - Throws: `MagicError`: `.assetMissing`, `.inputOutput`; ``ValueFault`` for a value that is no path.
  func open(_ value: ForeignValue) throws -> any ReadableFile {
    guard case .text(let path) = value,
      let name = path.split(separator: UInt8(ascii: "/")).last.map({
        String(decoding: $0, as: UTF8.self)
      }), name != ".", name != "..", !name.utf8.contains(0)
    else { throw ValueFault(reason: "it is not the path of an asset") }
    do {
      return try files.open(name)
    } catch  where error.code == .notFound {
      throw MagicError(
        .assetMissing, "The file \(name) of an asset is not next to the database.", cause: error)
    } catch {
      throw MagicError(.inputOutput, "The file \(name) of an asset cannot be read.", cause: error)
    }
  }
}
