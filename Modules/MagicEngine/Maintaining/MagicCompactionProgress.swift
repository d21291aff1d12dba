/// The progress of a compaction.
///
/// ```swift
/// let compaction = try await magic.compact { print($0.fraction) }
/// print(compaction.bytesReturned)
/// ```
public struct MagicCompactionProgress: Sendable, Hashable {
  /// The number of free pages that were returned.
  public let pagesDone: Int
  /// The number of free pages of the database.
  public let pageCount: Int

  package init(pagesDone: Int, pageCount: Int) {
    self.pagesDone = pagesDone
    self.pageCount = pageCount
  }

  /// The fraction of the free pages that was returned, from 0 to 1.
  public var fraction: Double {
    pageCount > 0 ? min(1, Double(pagesDone) / Double(pageCount)) : 1
  }
}

extension MagicCompactionProgress: CustomStringConvertible {
  /// The percentage and the pages.
  public var description: String {
    "\(Int(fraction * 100)) %: \(pagesDone) of \(pageCount) free pages"
  }
}
