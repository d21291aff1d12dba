import CMagicSQLite

/// The SQLite library that the process runs with, which may be another one than it was built with.
package struct SQLiteLibrary: Sendable {
  /// Its version as a number: 3,032,003 for 3.32.3.
  package let version: Int32
  /// Whether it may be used by several threads.
  package let isThreadSafe: Bool

  package init(version: Int32, isThreadSafe: Bool) {
    self.version = version
    self.isThreadSafe = isThreadSafe
  }

  /// The library of this process.
  package static var current: SQLiteLibrary {
    SQLiteLibrary(version: sqlite3_libversion_number(), isThreadSafe: sqlite3_threadsafe() != 0)
  }

  /// The version of iOS 14, and the oldest one that the tests run with. SQLite 3.27 evaluates constant
  /// functions of branches that are not taken, and finds wrong rows for some queries.
  package static let oldestSupported: Int32 = 3_032_003

  /// Why no connection is opened with this library; nil where connections may be opened.
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

  /// - Throws: ``SQLiteError`` with ``SQLiteError/Code/misuse`` where the library is not supported.
  package func requireSupported() throws(SQLiteError) {
    if let refusal { throw refusal }
  }

  /// A version as people write it: "3.32.3".
  package static func name(of version: Int32) -> String {
    "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}
