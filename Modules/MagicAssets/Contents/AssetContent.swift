import Foundation
import MagicFiles
import MagicSchema
import MagicStore
import Magical

/// The content of an asset.
package class AssetContent: FileContent, @unchecked Sendable {
  /// Opens the content for reading, wherever it is.
  ///
  /// - Throws: `MagicError`.
  func open() throws -> any ReadableFile { try openSaved() }

  /// An error that names the property, where it is known.
  func failure(_ code: MagicError.Code, _ message: String, _ cause: (any Error)?) -> MagicError {
    MagicError(code, message, cause: cause)
  }

  /// Opens the file of a database that it lies in.
  final func openSaved() throws -> any ReadableFile {
    var reason = failure(.assetMissing, "The asset is in no file.", nil)
    for place in places {
      guard let store = LiveStores.shared.store(place.store) else {
        reason = failure(.closed, "The asset's database was closed.", nil)
        continue
      }
      guard let name = AssetName(place.name) else {
        throw failure(.cannotDecode, "The row holds no name of an asset's file.", nil)
      }
      do {
        return try store.files.folder.open(name)
      } catch let error as FileError {
        let known = MagicError(error)
        reason = failure(known.code, known.message, error)
      }
    }
    throw reason
  }

  /// The whole content.
  final func readAll() throws -> Data {
    let file = try open()
    defer { file.close() }
    do {
      return try file.read(from: 0, count: file.size)
    } catch let error as FileError {
      let known = MagicError(error)
      throw failure(known.code, known.message, error)
    }
  }

  /// Where the file lies; nil where it lies in no open database.
  final var location: URL? {
    for place in places {
      if let store = LiveStores.shared.store(place.store), let name = AssetName(place.name) {
        return store.files.folder.url(of: name)
      }
    }
    return nil
  }

  /// - Throws: `MagicalError` where the extension may not end a file's name.
  final func checkExtension() throws {
    guard let pathExtension, !AssetName.isExtension(pathExtension) else { return }
    throw MagicalError.cannotEncode(Self.extensionRule)
  }

  static let extensionRule =
    "The extension of an asset's file is 1–32 of A–Z a–z 0–9 . _ - without a point in front or two in "
    + "a row"
}

extension ReadableFile {
  /// A part of the file; less where the file ends before.
  func read(from offset: Int, count: Int) throws -> Data {
    var data = Data(count: max(0, min(count, size - offset)))
    var filled = 0
    while filled < data.count {
      let read = try data.withUnsafeMutableBytes {
        try self.read(at: offset + filled, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      guard read > 0 else { break }
      filled += read
    }
    return filled == data.count ? data : data.prefix(filled)
  }
}
