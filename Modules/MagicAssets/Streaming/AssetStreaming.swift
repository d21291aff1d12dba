public import Foundation
import MagicEngine
package import MagicFiles
import MagicSchema
public import MagicStore
import Magical

extension AssetFolder {
  /// Creates an asset from a file, which is copied into the folder.
  package func asset<Element>(
    _ type: Element.Type, contentsOf file: URL, pathExtension: String?
  ) async throws -> MagicAsset<Element> {
    try await asset(
      type,
      of: MagicAssetChunks(
        content: FileContent(copying: file, pathExtension: nil), size: 1 << 20),
      pathExtension: pathExtension ?? PathExtension.usable(of: file))
  }

  /// Creates an asset from the bytes of a stream, which are written into the folder as they arrive.
  package func asset<Element, Bytes: AsyncSequence>(
    _ type: Element.Type, of bytes: Bytes, pathExtension: String?
  ) async throws -> MagicAsset<Element> where Bytes.Element: ContiguousBytes {
    do {
      try PathExtension.check(pathExtension)
      let file = try await write(bytes, pathExtension)
      return MagicAsset(FileContent(StreamSource(file, in: self)))
    } catch let error as FileError {
      throw MagicError(error)
    } catch let error as MagicalError {
      throw MagicError(.cannotEncode, "The asset cannot be stored: \(error).", cause: error)
    }
  }

  private func write<Bytes: AsyncSequence>(
    _ bytes: Bytes, _ pathExtension: String?
  ) async throws -> StagedFile where Bytes.Element: ContiguousBytes {
    let sink = try beginStaging(pathExtension: pathExtension)
    var buffer = Data()
    for try await piece in bytes {
      try Task.checkCancellation()
      piece.withUnsafeBytes { buffer.append(contentsOf: $0) }
      guard buffer.count >= Self.writeSize else { continue }
      let full = buffer
      buffer = Data()
      try await FileThreads.run { try sink.write(full) }
    }
    try Task.checkCancellation()
    let rest = buffer
    return try await FileThreads.run {
      try sink.write(rest)
      return try sink.finish()
    }
  }

  /// The number of bytes that are buffered before they are written.
  private static var writeSize: Int { 256 << 10 }
}

extension AsyncMagicDatabase {
  /// Creates an asset with the content of a file. This call copies the file into the folder of the
  /// database, so the transaction that saves the asset does not wait for the copy.
  ///
  /// If the asset is never saved, the copy is removed when the last copy of the asset is released.
  ///
  /// - Parameter pathExtension: as in `MagicAsset`. Default: the extension of the file, if it is
  ///   valid.
  /// - Throws: `MagicError`: `.inputOutput` if the file cannot be read, `.diskFull`, `.readOnly`;
  ///   `CancellationError`.
  public func asset<Element>(
    of type: Element.Type = Data.self, contentsOf file: URL, pathExtension: String? = nil
  ) async throws -> MagicAsset<Element> {
    try await writableFiles.asset(type, contentsOf: file, pathExtension: pathExtension)
  }

  /// Creates an asset with the bytes of a stream. The bytes are written into the folder of the
  /// database as they arrive. About 256 KiB are buffered in memory.
  ///
  /// If the asset is never saved, the file is removed when the last copy of the asset is released.
  ///
  /// - Parameter pathExtension: as in `MagicAsset`. Default: none.
  /// - Throws: `MagicError`: `.diskFull`, `.readOnly`; errors of the stream; `CancellationError`.
  public func asset<Element, Bytes: AsyncSequence>(
    of type: Element.Type = Data.self, streaming bytes: Bytes, pathExtension: String? = nil
  ) async throws -> MagicAsset<Element> where Bytes.Element: ContiguousBytes {
    try await writableFiles.asset(type, of: bytes, pathExtension: pathExtension)
  }

  private var writableFiles: AssetFolder {
    get throws {
      let store = _store.store
      try store.checkOpen()
      guard !store.database.isReadOnly else { throw MagicError.readOnly() }
      guard let files = store.database.assets else {
        throw MagicError(.invalidOption, "The engine of the database does not support assets.")
      }
      return files.staging
    }
  }
}
