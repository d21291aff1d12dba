import CMagicSQLite

/// The SQLite library that the process runs with, which may differ from the one that it was built
/// with.
package struct SQLiteLibrary: Sendable {
  /// The version as a number: 3,032,003 for 3.32.3.
  package let version: Int32
  /// Whether several threads may use the library.
  package let isThreadSafe: Bool

  package init(version: Int32, isThreadSafe: Bool) {
    self.version = version
    self.isThreadSafe = isThreadSafe
  }

  /// The library of this process.
  package static var current: SQLiteLibrary {
    SQLiteLibrary(version: sqlite3_libversion_number(), isThreadSafe: sqlite3_threadsafe() != 0)
  }

  /// The oldest supported version: the one of iOS 14, and the oldest one that the tests run with.
  /// SQLite 3.28, of iOS 13, evaluates constant functions in branches that are not taken, and returns
  /// wrong rows for some queries.
  package static let oldestSupported: Int32 = 3_032_003

  /// The reason why this library cannot be used; nil if it is supported.
  package var refusal: SQLiteError? {
    guard version >= Self.oldestSupported else {
      return .misuse(
        "SQLite \(Self.name(of: version)) is too old: the oldest supported version is "
          + Self.name(of: Self.oldestSupported))
    }
    guard isThreadSafe else {
      return .misuse("SQLite was built without support for threads (SQLITE_THREADSAFE=0)")
    }
    return nil
  }

  /// - Throws: ``SQLiteError`` with ``SQLiteError/Code/misuse`` if the library is not supported.
  package func requireSupported() throws(SQLiteError) {
    if let refusal { throw refusal }
  }

  /// Returns a version in its usual form: "3.32.3".
  package static func name(of version: Int32) -> String {
    "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}
