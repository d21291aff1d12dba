import Foundation
package import MagicFiles
import MagicSchema
package import Magical

/// The content of a value in memory.
package final class ValueSource<Value: MagicAssetConvert & Sendable>: FileSource {
  let value: Value
  package let pathExtension: String?
  package let isLasting = true
  package let outlivesRollback = false

  package init(_ value: Value, pathExtension: String?) {
    self.value = value
    self.pathExtension = pathExtension
  }

  package func stage(in folder: AssetFolder) throws -> StagedFile {
    try PathExtension.check(pathExtension)
    let bytes = try bytes()
    return try folder.stage(pathExtension: pathExtension) { try $0.write(bytes) }
  }

  package func open() throws -> any ReadableFile {
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
