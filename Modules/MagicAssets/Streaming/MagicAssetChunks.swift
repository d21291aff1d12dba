public import Foundation
import MagicFiles
import MagicSchema

/// The content of an asset as a sequence of pieces. A piece is read when the iterator requests it,
/// so one piece at a time is in memory.
///
/// ```swift
/// for try await chunk in film.file.chunks() { try await response.write(chunk) }
/// ```
///
/// The file is opened when the first piece is requested. After that, the iterator is not affected
/// if the asset is replaced or removed.
public struct MagicAssetChunks: AsyncSequence, Sendable {
  /// A piece of the content.
  public typealias Element = Data

  let content: FileContent?
  let size: Int

  /// Creates an iterator that begins at the first byte.
  public func makeAsyncIterator() -> Iterator { Iterator(content: content, size: size) }

  /// The iterator of the pieces.
  public struct Iterator: AsyncIteratorProtocol {
    private let content: FileContent?
    private let size: Int
    private var reader: MagicAssetReader?
    private var offset = 0

    init(content: FileContent?, size: Int) {
      self.content = content
      self.size = size
    }

    /// Returns the next piece; nil at the end, and for an asset without a value.
    ///
    /// - Throws: `MagicError`, the errors of `load()` of an asset, and `CancellationError` in a
    ///   cancelled task.
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
  /// Returns the content as a sequence of pieces of `size` bytes. The last piece may be shorter.
  /// Default: 256 KiB. A size below 1 byte or above 1 GiB is changed to that limit.
  public func chunks(ofSize size: Int = 256 << 10) -> MagicAssetChunks {
    MagicAssetChunks(content: content, size: Swift.min(Swift.max(1, size), 1 << 30))
  }
}
