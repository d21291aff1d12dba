import Foundation

/// Bytes as text in Base64, by Foundation.
enum Base64 {
  static func append(_ blob: [UInt8], to bytes: inout [UInt8]) {
    bytes += Data(blob).base64EncodedData()
  }

  /// Returns the bytes of a text; nil if it is not Base64.
  static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    Data(base64Encoded: Data(text)).map { Array($0) }
  }
}
