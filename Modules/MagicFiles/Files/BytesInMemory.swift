package import Foundation

/// Bytes in memory that can be read like a file.
package final class BytesInMemory: ReadableFile {
  private let data: Data

  package init(_ data: Data) { self.data = data }

  package var size: Int { data.count }

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = max(0, min(buffer.count, data.count - offset))
    guard count > 0 else { return 0 }
    let start = data.startIndex + offset
    return data.copyBytes(to: buffer, from: start..<start + count)
  }

  package func close() {}
}
