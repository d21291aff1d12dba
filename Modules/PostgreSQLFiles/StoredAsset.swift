import Foundation
package import MagicFiles
package import MagicPostgreSQL
import MagicRuntime
import PostgreSQLTables

/// An asset that is open for reading. Each read is a statement, so that an open asset needs no
/// connection. After the asset was deleted, reads throw.
package final class StoredAsset: ReadableFile {
  private let name: AssetName
  private let run: Run
  package let size: Int
  private let isClosed = Mutex(false)

  /// Runs a statement on a connection for assets. The closure appends its parameters.
  package typealias Run =
    @Sendable (PostgreSQLStatement, (PostgreSQLFields) -> Void) throws(FileError) ->
    PostgreSQLResult

  package init(_ name: AssetName, run: @escaping Run) {
    self.name = name
    self.run = run
    size = name.size
  }

  package func close() { isClosed.withLock { $0 = true } }

  /// The number of pieces of one statement: the result of a statement is in memory.
  private static let pieceCount = 8

  /// The pieces, the first and the last one in part. The server reads only these parts.
  private static let select = PostgreSQLStatement(
    """
    SELECT part, CASE WHEN part = $2 AND part = $3 THEN substring(bytes FROM $4::int FOR $5::int) \
    WHEN part = $2 THEN substring(bytes FROM $4::int) \
    WHEN part = $3 THEN substring(bytes FROM 1 FOR $5::int) ELSE bytes END \
    FROM magic_asset_data WHERE name = $1 AND part BETWEEN $2 AND $3 ORDER BY part
    """, [.text, .bigint, .bigint, .bigint, .bigint])

  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError)
    -> Int
  {
    guard !isClosed.withLock({ $0 }) else {
      throw FileError(.read, name.text, number: EBADF)
    }
    let end = offset + max(0, min(buffer.count, size - offset))
    var next = offset
    while next < end {
      let count = try read(from: next, to: end, into: buffer[(next - offset)...])
      next += count
    }
    return max(0, next - offset)
  }

  /// Reads a few pieces.
  ///
  /// - Returns: the number of bytes, at least 1.
  private func read(
    from start: Int, to end: Int, into buffer: Slice<UnsafeMutableRawBufferPointer>
  ) throws(FileError) -> Int {
    let piece = AssetTables.pieceSize
    let first = start / piece
    let last = min((end - 1) / piece, first + Self.pieceCount - 1)
    let stop = min(end, (last + 1) * piece)
    // The last piece begins with the first byte unless it is also the first.
    let skipped = start - first * piece
    let taken = stop - last * piece - (first == last ? skipped : 0)
    let result = try run(Self.select) { fields in
      fields.append(text: name.text)
      fields.append(integer: Int64(first))
      fields.append(integer: Int64(last))
      fields.append(integer: Int64(skipped + 1))
      fields.append(integer: Int64(taken))
    }
    defer { withExtendedLifetime(result) {} }
    var target = UnsafeMutableRawBufferPointer(rebasing: buffer)
    var read = 0
    for row in 0..<result.count {
      guard let bytes = result.value(row, 1).bytes, bytes.count <= target.count,
        result.integer(row, 0) == Int64(first + row)
      else { throw FileError(.read, name.text, code: .wrongSize) }
      target.copyMemory(from: bytes)
      target = UnsafeMutableRawBufferPointer(rebasing: target[bytes.count...])
      read += bytes.count
    }
    guard result.count > 0 else { throw FileError(.read, name.text, code: .notFound) }
    guard read == stop - start else { throw FileError(.read, name.text, code: .wrongSize) }
    return read
  }
}
