import CMagicSQLite

/// A module that the connections to some files lack, as those of an SQLite that was built without it.
///
/// SQLite calls the function that ``hide()`` registers for each connection that the process opens. Apple's
/// SQLite has no such functions.
package enum MissingModule: String, Sendable {
  case fts5

  /// The name of a file whose connections lack the module.
  package var fileName: String { Self.prefix + rawValue + ".sqlite3" }

  private static let prefix = "without-"

  /// Returns whether files can lack modules.
  package static func hide() -> Bool { isRegistered }

  private static let isRegistered: Bool = {
    #if canImport(Darwin)
      return false
    #else
      let entry: Entry = { connection, _, _ in
        guard let path = sqlite3_db_filename(connection, "main") else { return SQLITE_OK }
        let name = String(cString: path).split(separator: "/").last ?? ""
        guard name == MissingModule.fts5.fileName else { return SQLITE_OK }
        return sqlite3_create_module_v2(connection, MissingModule.fts5.rawValue, nil, nil, nil)
      }
      return sqlite3_auto_extension(unsafeBitCast(entry, to: Untyped.self)) == SQLITE_OK
    #endif
  }()

  private typealias Entry =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> Int32
  private typealias Untyped = @convention(c) () -> Void
}
