import CMagicSQLite
import CSQLiteVersion
import Foundation
import MagicSQLite
import MagicTestSupport
import Testing

/// Which SQLite libraries are supported.
@Suite struct LibraryTests {
  private func message(_ version: Int32, isThreadSafe: Bool = true) -> String? {
    SQLiteLibrary(version: version, isThreadSafe: isThreadSafe).refusal?.message
  }

  @Test(arguments: [3_032_003, 3_033_000, 3_040_001, 3_053_004, 4_000_000] as [Int32])
  func aLibraryThatIsNewEnoughIsSupported(_ version: Int32) {
    #expect(message(version) == nil)
  }

  @Test func aLibraryThatIsTooOldIsRefusedByVersion() {
    #expect(
      message(3_032_002) == "SQLite 3.32.2 is too old: the oldest supported version is 3.32.3")
    #expect(
      message(3_007_017) == "SQLite 3.7.17 is too old: the oldest supported version is 3.32.3")
  }

  @Test func aLibraryWithoutThreadsIsRefused() {
    #expect(
      message(3_040_001, isThreadSafe: false)
        == "SQLite was built without support for threads (SQLITE_THREADSAFE=0)")
  }

  @Test func theLibraryOfThisProcessIsSupported() {
    let library = SQLiteLibrary.current
    #expect(library.refusal == nil)
    #expect(SQLiteLibrary.name(of: library.version) == String(cString: sqlite3_libversion()))
  }

  /// `ci/sqlites` requests a version; its runs would prove nothing with another one.
  @Test(.enabled(if: wantedVersion != nil, "MAGIC_SQLITE names the version."))
  func theLibraryIsTheRequestedOne() throws {
    #expect(String(cString: sqlite3_libversion()) == wantedVersion)
    let memory = try memory()
    #expect(try memory.text("SELECT sqlite_version()") == wantedVersion)
  }

  @Test(arguments: Unsupported.allCases)
  func noConnectionIsOpenedWithAnUnsupportedLibrary(_ unsupported: Unsupported) async {
    await #expect(processExitsWith: .success) { [unsupported] in
      let scratch = Scratch()
      unsupported.pretend()
      let expected = try #require(SQLiteLibrary.current.refusal)
      #expect(sqliteError { _ = try scratch.connection() } == expected)
      #expect(sqliteError { _ = try memory() } == expected)
      #expect(scratch.names.isEmpty)
      csqliteversion_pretend(0, true)
      #expect(try scratch.connection().integer("SELECT 1") == 1)
    }
  }
}

private let wantedVersion = ProcessInfo.processInfo.environment["MAGIC_SQLITE"]

/// The reasons why a library is not supported.
enum Unsupported: String, CaseIterable, Codable {
  case version, threads

  func pretend() {
    switch self {
    case .version: csqliteversion_pretend(3_031_001, true)
    case .threads: csqliteversion_pretend(0, false)
    }
  }
}
