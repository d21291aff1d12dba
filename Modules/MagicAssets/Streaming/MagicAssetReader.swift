public import Foundation
import MagicFiles
import MagicSchema

/// An open asset, for reading parts of its content.
///
/// ```swift
/// let reader = try photo.image.open()
/// let header = try reader.read(0..<16)
/// reader.close()
/// ```
///
/// A reader is not affected if the asset is replaced or removed: it reads the content that it has
/// opened. It can be used from any task. Each read blocks the calling thread.
public final class MagicAssetReader: Sendable {
  private let file: any ReadableFile
  private let content: FileContent
  /// The size of the content in bytes.
  public let size: Int

  init(_ content: FileContent) throws {
    self.content = content
    file = try content.open()
    size = file.size
  }

  deinit { file.close() }

  /// Reads a range of bytes.
  ///
  /// - Returns: the bytes of the range that the content has: fewer than requested if the range
  ///   extends beyond the end, and none if it begins at or after the end.
  /// - Throws: `MagicError`, with `.closed` after ``close()``.
  /// - Complexity: O(n) in the number of bytes that are read.
  public func read(_ range: Range<Int>) throws -> Data {
    guard range.lowerBound >= 0 else {
      throw content.failure(
        .invalidOption, "The range begins before byte 0. Begin it at 0 or later.", nil)
    }
    return try content.translatingErrors {
      try file.read(from: range.lowerBound, count: range.count)
    }
  }

  /// Reads the bytes from an offset on. They may be beyond the size that the file had when it was
  /// opened.
  func piece(from offset: Int, count: Int) throws -> Data {
    let rest = max(size - offset, 1 << 16)
    return try content.translatingErrors { try file.piece(from: offset, count: min(count, rest)) }
  }

  /// Closes the file. The file is also closed when the reader is deallocated.
  public func close() { file.close() }
}

extension MagicAsset {
  /// Opens the content for reading parts of it.
  ///
  /// - Throws: `MagicError`: `.missingValue` for an asset without a value, and the errors of
  ///   ``load()``.
  public func open() throws -> MagicAssetReader {
    guard let content else { throw MagicError(.missingValue, "The asset has no value.") }
    return try MagicAssetReader(content)
  }

  /// The size of the content in bytes; 0 for an asset without a value. The content is not read.
  ///
  /// - Throws: `MagicError`, the errors of ``load()``.
  public var size: Int {
    get throws {
      guard let content else { return 0 }
      let file = try content.open()
      defer { file.close() }
      return file.size
    }
  }
}
