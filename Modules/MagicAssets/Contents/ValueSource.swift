import Foundation
import MagicFiles
import MagicSchema
import Magical

/// The content of a value in memory.
final class ValueSource<Value: MagicAssetConvert & Sendable>: FileSource {
  let value: Value
  let pathExtension: String?
  let isLasting = true
  let outlivesRollback = false

  init(_ value: Value, pathExtension: String?) {
    self.value = value
    self.pathExtension = pathExtension
  }

  func stage(in folder: AssetFolder) throws -> StagedFile {
    try PathExtension.check(pathExtension)
    let bytes = try bytes()
    return try folder.stage(pathExtension: pathExtension) { try $0.write(bytes) }
  }

  func open() throws -> any ReadableFile {
    do {
      return BytesInMemory(try bytes())
    } catch {
      throw MagicError(
        .cannotEncode, "The value cannot be converted to file content: \(error).", cause: error)
    }
  }

  private func bytes() throws(MagicalError) -> Data {
    do {
      return try value.assetData
    } catch let error as MagicalError {
      throw error
    } catch {
      // The text of the error may contain values, so only its type is used.
      throw .cannotEncode("\(type(of: error))")
    }
  }
}

/// Bytes in memory that can be read like a file.
private final class BytesInMemory: ReadableFile {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var size: Int { data.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(buffer.count, data.count - offset))
    guard count > 0 else { return 0 }
    let start = data.startIndex + offset
    return data.copyBytes(to: buffer, from: start..<start + count)
  }

  func close() {}
}
