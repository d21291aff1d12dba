public import Foundation
import MagicFiles
import MagicSchema

/// The content of an asset, piece by piece: the next is read when it is asked for, and one at a time
/// is in memory.
///
/// ```swift
/// for try await chunk in film.file.chunks() { try await response.write(chunk) }
/// ```
///
/// The file is opened with the first piece; from then on the sequence goes on where the asset is
/// replaced or removed.
public struct MagicAssetChunks: AsyncSequence, Sendable {
  /// A piece of the content.
  public typealias Element = Data

  let content: FileContent?
  let size: Int

  /// Begins at the first byte.
  public func makeAsyncIterator() -> Iterator { Iterator(content: content, size: size) }

  /// Reads the next piece.
  public struct Iterator: AsyncIteratorProtocol {
    private let content: FileContent?
    private let size: Int
    private var reader: MagicAssetReader?
    private var offset = 0

    init(content: FileContent?, size: Int) {
      self.content = content
      self.size = size
    }

    /// The next piece; nil at the end, and at once for an asset without a value.
    ///
    /// - Throws: `MagicError`, as `load()` of an asset does, and `CancellationError` in a cancelled
    ///   task.
    public mutating func next() async throws -> Data? {
      try Task.checkCancellation()
      guard let content else { return nil }
      let (known, start, size) = (reader, offset, size)
      let (reader, chunk) = try await FileThreads.run {
        let reader = try known ?? MagicAssetReader(content)
        return (reader, try reader.piece(from: start, count: size))
      }
      self.reader = reader
      offset += chunk.count
      return chunk.isEmpty ? nil : chunk
    }
  }
}

extension MagicAsset {
  /// The content piece by piece, of so many bytes each, 1 GiB at most, the last of less. Default:
  /// 256 KiB.
  public func chunks(ofSize size: Int = 256 << 10) -> MagicAssetChunks {
    MagicAssetChunks(content: content, size: Swift.min(Swift.max(1, size), 1 << 30))
  }
}
