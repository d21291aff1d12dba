/// The result of a compaction: the size of the database before and after it.
///
/// ```swift
/// let compaction = try await magic.compact { print($0.fraction) }
/// print(compaction.bytesReturned)
/// ```
public struct MagicCompaction: Sendable, Hashable {
  /// The size of the database before, in bytes, without the write-ahead log and the files of
  /// assets.
  public let bytesBefore: Int
  /// The size of the database after, in bytes. The file has this size as soon as no reader uses an
  /// earlier state.
  public let bytesAfter: Int

  package init(bytesBefore: Int, bytesAfter: Int) {
    self.bytesBefore = bytesBefore
    self.bytesAfter = bytesAfter
  }

  /// The number of bytes that were returned to the file system; 0 if other calls wrote more
  /// meanwhile.
  public var bytesReturned: Int { max(0, bytesBefore - bytesAfter) }
}

extension MagicCompaction: CustomStringConvertible {
  /// The two sizes.
  public var description: String { "\(bytesBefore) bytes before, \(bytesAfter) bytes after" }
}
