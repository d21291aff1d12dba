import Foundation
import MagicRuntime

/// Bytes as text in Base64, by Foundation.
enum Base64 {
  static func append(_ blob: [UInt8], to bytes: inout [UInt8]) {
    bytes += Data(blob).base64EncodedData()
  }

  /// Returns the bytes of a text; nil if it is not Base64.
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    // Some programs, and Foundation, write a slash with an escape.
    let content = text.hasEscapes ? JSONText.decoded(text).map { Data($0) } : Data(text)
    return content.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
  }
}
