import Foundation
import MagicFiles
import MagicSchema
import Magical

/// Content that is a value in memory.
final class ValueContent<Value: MagicAssetConvert & Sendable>: AssetContent, @unchecked Sendable {
  let value: Value
  private let ownExtension: String?

  init(_ value: Value, pathExtension: String?) {
    self.value = value
    ownExtension = pathExtension
    super.init(place: nil)
  }

  override var pathExtension: String? { ownExtension }

  override func stage(in folder: AssetFolder) throws -> StagedFile? {
    try checkExtension()
    let bytes = try bytes()
    return try folder.stage(pathExtension: ownExtension) { try $0.write(bytes) }
  }

  override func open() throws -> any ReadableFile {
    do {
      return DataFile(try bytes())
    } catch let error as MagicalError {
      throw failure(.cannotEncode, "The value has no content: \(error).", error)
    }
  }

  private func bytes() throws -> Data {
    do {
      return try value.assetData
    } catch let error as MagicalError {
      throw error
    } catch {
      throw MagicalError.cannotEncode("the value has no content: \(type(of: error))")
    }
  }
}

/// Bytes in memory that are read like a file.
private final class DataFile: ReadableFile {
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
