import CMagicSQLite

/// The header of the shared index of a write-ahead log. While a connection keeps the index open, two
/// equal headers mean the same content of the database.
///
/// See https://sqlite.org/walformat.html#the_wal_index_header
package struct LogHeader: Equatable, Sendable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  private static let size = 48
  private static let version: UInt32 = 3_007_000

  /// Loads the header at the address of the index. Returns nil while another process changes it.
  package init?(_ index: UnsafeRawPointer) {
    words = (
      magic_sqlite3_log_word(index, 0), magic_sqlite3_log_word(index, 1),
      magic_sqlite3_log_word(index, 2), magic_sqlite3_log_word(index, 3),
      magic_sqlite3_log_word(index, 4), magic_sqlite3_log_word(index, 5)
    )
    // SQLite writes the second copy of the header before the first one.
    guard isCopy(at: index + Self.size), number(at: 0) == Self.version else { return nil }
  }

  /// Whether the index at an address has this header. Complexity: O(1), six loads.
  @inline(__always)
  package func isCurrent(_ index: UnsafeRawPointer) -> Bool {
    magic_sqlite3_log_word(index, 2) == words.2 && magic_sqlite3_log_word(index, 1) == words.1
      && magic_sqlite3_log_word(index, 5) == words.5 && magic_sqlite3_log_word(index, 4) == words.4
      && magic_sqlite3_log_word(index, 3) == words.3 && magic_sqlite3_log_word(index, 0) == words.0
  }

  /// Counts the transactions that were committed to the log, and wraps.
  package var commitCount: UInt32 { number(at: 8) }

  private func isCopy(at copy: UnsafeRawPointer) -> Bool {
    withUnsafeBytes(of: words) { first in
      UnsafeRawBufferPointer(start: copy, count: Self.size).elementsEqual(first)
    }
  }

  private func number(at offset: Int) -> UInt32 {
    withUnsafeBytes(of: words) { $0.load(fromByteOffset: offset, as: UInt32.self) }
  }

  package static func == (left: LogHeader, right: LogHeader) -> Bool {
    left.words.0 == right.words.0 && left.words.1 == right.words.1
      && left.words.2 == right.words.2 && left.words.3 == right.words.3
      && left.words.4 == right.words.4 && left.words.5 == right.words.5
  }
}
