/// The header of SQLite's shared index of a write-ahead log.
///
/// See https://sqlite.org/walformat.html#the_wal_index_header
package struct WALIndex: Equatable, Sendable {
  /// The number of valid frames in the log, up to the last commit.
  package let frames: UInt32
  /// The number of frames that were copied to the database.
  package let checkpointedFrames: UInt32
  /// Distinguishes the log from earlier logs in the same file.
  package let salts: UInt64
  /// In bytes.
  private let pageSize: Int

  private static let headerSize = 48
  private static let version: UInt32 = 3_007_000

  /// The minimum size of the log file, in bytes.
  var size: Int64 { frames == 0 ? 0 : 32 + Int64(frames) * Int64(24 + pageSize) }

  /// Returns nil while another process is changing the index.
  init?(_ index: UnsafeRawPointer) {
    func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
      index.load(fromByteOffset: offset, as: Number.self)
    }
    // The header has two copies, which SQLite writes one after the other.
    for offset in stride(from: 0, to: Self.headerSize, by: 8)
    where number(at: offset, UInt64.self) != number(at: Self.headerSize + offset, UInt64.self) {
      return nil
    }
    guard number(at: 0, UInt32.self) == Self.version, number(at: 12, UInt8.self) != 0 else {
      return nil
    }
    let pageSize = number(at: 14, UInt16.self)
    self.pageSize = pageSize == 1 ? 65_536 : Int(pageSize)
    frames = number(at: 16, UInt32.self)
    salts = number(at: 32, UInt64.self)
    checkpointedFrames = number(at: 2 * Self.headerSize, UInt32.self)
  }
}
