public import Foundation
import MagicFiles
public import MagicSchema

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
  private let content: AssetContent
  /// The size of the content in bytes.
  public let size: Int

  init(_ content: AssetContent) throws {
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
    do {
      return try file.read(from: range.lowerBound, count: range.count)
    } catch let error as FileError {
      let known = MagicError(error)
      throw content.failure(known.code, known.message, error)
    }
  }

  /// Closes the file; so does letting go of the reader.
  public func close() { file.close() }
}

extension MagicAsset {
  /// Opens the content for reading parts of it.
  ///
  /// - Throws: `MagicError`: `.missingValue` for an asset without a value, and as ``load()`` does.
  public func open() throws -> MagicAssetReader {
    guard let asset else { throw MagicError(.missingValue, "The asset has no value.") }
    return try MagicAssetReader(asset)
  }

  /// The size of the content in bytes; 0 without a value. No content is read.
  ///
  /// - Throws: `MagicError`, as ``load()`` does.
  public var size: Int {
    get throws {
      guard let asset else { return 0 }
      let file = try asset.open()
      defer { file.close() }
      return file.size
    }
  }
}
