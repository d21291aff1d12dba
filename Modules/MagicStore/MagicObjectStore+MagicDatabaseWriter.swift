import MagicEngine

extension MagicObjectStore: MagicDatabaseWriter {
  /// Runs a read. Blocks the thread while all readers are in use.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func _read<Result>(_ body: (borrowing _MagicReadAccess) throws -> Result) throws -> Result
  {
    try checkOpen()
    return try database.readBlocking { try body(_MagicReadAccess($0)) }
  }

  /// Runs a write in a transaction of its own. The write is durable when the call returns.
  @available(*, noasync, message: "this call blocks the thread; in a task, use MagicData")
  public func _write<Result>(
    isOneRow: Bool, _ body: (borrowing _MagicWriteAccess) throws -> Result
  ) throws -> Result {
    try checkOpen()
    return try database.writeBlocking { try body(_MagicWriteAccess($0)) }
  }
}
