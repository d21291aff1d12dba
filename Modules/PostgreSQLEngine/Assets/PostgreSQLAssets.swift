package import Foundation
import MagicEngine
package import MagicFiles
import MagicPostgreSQL
import MagicRuntime
import MagicSchema
import PostgreSQLTables

/// The assets in the tables of a database.
///
/// They have connections of their own, so that a transaction that uses all others can read assets.
package final class PostgreSQLAssets: AssetStore {
  package let staging: AssetFolder
  let pool: ResourcePool<PooledConnection>
  private let settings: PostgreSQLSettings
  private let generation: ConnectionGeneration

  init(
    _ staging: AssetFolder, _ pool: ResourcePool<PooledConnection>,
    _ settings: PostgreSQLSettings, _ generation: ConnectionGeneration
  ) {
    self.staging = staging
    self.pool = pool
    self.settings = settings
    self.generation = generation
  }

  /// Removes the folder. Assets that are still being streamed fail.
  func removeStaging() {
    staging.close()
    try? FileManager.default.removeItem(atPath: staging.path)
  }

  package func location(of name: AssetName) -> URL? { nil }

  package func open(_ name: AssetName) throws -> any ReadableFile {
    if let staged = try? staging.open(name) { return staged }
    let result = try run(Self.selectSize, name, .open) { $0.append(text: name.text) }
    guard result.count > 0 else { throw FileError(.open, name.text, code: .notFound) }
    guard result.integer(0, 0) == Int64(name.size) else {
      throw FileError(.open, name.text, code: .wrongSize)
    }
    return StoredAsset(name, in: self)
  }

  private static let selectSize = PostgreSQLStatement(
    "SELECT size FROM magic_assets WHERE name = $1", [.text])

  /// Runs a statement on a connection for assets. The thread waits for one.
  func run(
    _ statement: PostgreSQLStatement, _ name: AssetName, _ operation: FileError.Operation,
    _ append: (PostgreSQLFields) -> Void
  ) throws(FileError) -> PostgreSQLResult {
    var retries = Retries(settings)
    while true {
      // The call is not asynchronous, so that it is not notified of the cancellation of its task.
      let cancellation = StatementCancellation { FileThreads.isCancelled }
      do {
        if FileThreads.isCancelled { throw CancellationError() }
        let place = try pool.takeBlocking()
        defer { give(place) }
        let fields = PostgreSQLFields()
        append(fields)
        return try place.run(cancellation) { try place.connection().run(statement, fields) }
      } catch {
        if error is CancellationError || cancellation.isCancelled {
          throw FileError(operation, name.text, number: ECANCELED)
        }
        guard let delay = delay(after: error, &retries) else {
          throw FileError(operation, name.text, number: EIO)
        }
        if delay > 0 { Thread.sleep(forTimeInterval: Double(delay) / 1e9) }
      }
    }
  }

  /// Returns the time before the next attempt in nanoseconds; nil if there is none.
  private func delay(after error: any Error, _ retries: inout Retries) -> UInt64? {
    // Errors of opening a connection are translated.
    let known = (error as? MagicError)?.cause ?? error
    guard let cause = known as? PostgreSQLError else { return nil }
    if cause.kind == .connectionLost { generation.end() }
    return try? retries.delay(after: MagicError(cause))
  }

  private func give(_ place: PooledConnection) {
    if pool.isClosed { place.close() }
    pool.give(place)
  }
}

/// An asset that is open for reading. Each read is a statement, so that an open asset needs no
/// connection. After the asset was deleted, reads throw.
final class StoredAsset: ReadableFile {
  private let name: AssetName
  private let assets: PostgreSQLAssets
  let size: Int
  private let isClosed = Mutex(false)

  init(_ name: AssetName, in assets: PostgreSQLAssets) {
    self.name = name
    self.assets = assets
    size = name.size
  }

  func close() { isClosed.withLock { $0 = true } }

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

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
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
    let result = try assets.run(Self.select, name, .read) { fields in
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
