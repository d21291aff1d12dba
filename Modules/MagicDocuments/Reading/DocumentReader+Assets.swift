import DatabaseTransfer
import Foundation
import MagicAssets
import MagicEngine
import MagicExchange
import MagicRuntime
import MagicSchema

extension DocumentReader {
  /// Reads the content of an asset; nil for an asset without content.
  static func asset(
    _ json: UnsafeRawBufferPointer, _ property: PropertySchema, at path: DocumentPath
  ) throws -> FileContent? {
    var content: Data?
    var pathExtension: String?
    var count = 0
    var hasContent = false
    let isComplete = try JSONScanner.forEachMember(of: json) { key, value in
      count += 1
      if key.elementsEqual("$asset".utf8), let blob = JSONScalar.value(value, .blob) {
        hasContent = true
        if case .blob(let bytes) = blob { content = Data(bytes) }
      } else if key.elementsEqual("extension".utf8),
        case .text(let text)? = JSONScalar.value(value, .text)
      {
        pathExtension = String(decoding: text, as: UTF8.self)
      } else {
        throw path.error(.wrongType, "the value is not an asset", nil, property)
      }
    }
    guard isComplete, hasContent, count == (pathExtension == nil ? 1 : 2) else {
      throw path.error(.wrongType, "the value is not an asset", nil, property)
    }
    return content.map { FileContent(ValueSource($0, pathExtension: pathExtension)) }
  }
}
