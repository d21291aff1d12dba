public import Foundation
import MagicFiles
import MagicSchema

/// An open asset, for reading parts of it.
///
/// ```swift
/// let reader = try photo.image.open()
/// let header = try reader.read(0..<16)
/// reader.close()
/// ```
///
/// It goes on where the asset is replaced or removed meanwhile: it reads what it was opened on. It
/// may be used from any task; each read blocks its thread while the disk works.
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

  /// Reads the bytes of a range.
  ///
  /// - Returns: less where the range reaches beyond the end, nothing where it lies behind it.
  /// - Throws: `MagicError`, with `.closed` after ``close()``.
  /// - Complexity: O(n) in the bytes that are read.
  public func read(_ range: Range<Int>) throws -> Data {
    guard range.lowerBound >= 0 else {
      throw content.failure(.invalidOption, "An asset is read from byte 0 on.", nil)
    }
    return try content.naming {
      try file.read(from: range.lowerBound, count: range.count)
    }
  }

  /// Reads on from a place, whatever size the file had when it was opened.
  func piece(from offset: Int, count: Int) throws -> Data {
    let rest = max(size - offset, 1 << 16)
    return try content.naming { try file.piece(from: offset, count: min(count, rest)) }
  }

  /// Closes the file; so does letting go of the reader.
  public func close() { file.close() }
}

extension MagicAsset {
  /// Opens the content for reading parts of it.
  ///
  /// - Throws: `MagicError`: `.missingValue` for an asset without a value, and as ``load()`` does.
  public func open() throws -> MagicAssetReader {
    guard let content else { throw MagicError(.missingValue, "The asset has no value.") }
    return try MagicAssetReader(content)
  }

  /// The size of the content in bytes; 0 without a value. No content is read.
  ///
  /// - Throws: `MagicError`, as ``load()`` does.
  public var size: Int {
    get throws {
      guard let content else { return 0 }
      let file = try content.open()
      defer { file.close() }
      return file.size
    }
  }
}
