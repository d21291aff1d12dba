import CMagicSQLite

/// SQLite's extended codes of I/O errors. SQLite defines them as macros that Swift cannot import.
enum InputOutputCode {
  static let read = code(1)
  static let write = code(3)
  static let sync = code(4)
  static let truncate = code(6)
  static let size = code(7)
  static let unlock = code(8)
  static let delete = code(10)
  static let access = code(13)
  static let checkReservedLock = code(14)
  static let lock = code(15)
  static let sharedLock = code(20)
  static let sharedMap = code(21)

  private static func code(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
}
