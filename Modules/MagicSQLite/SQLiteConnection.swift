import CMagicSQLite

/// One connection to a database.
///
/// Only one thread may use a connection at a time; ``SQLiteDatabase`` shares connections among
/// tasks.
///
/// ```swift
/// let connection = try SQLiteConnection(path: path)
/// try connection.execute("CREATE TABLE person (name TEXT)")
/// try connection.transaction {
///   let insert = try connection.cachedStatement("INSERT INTO person VALUES (?)")
///   try insert.bind("Ada", at: 1)
///   try insert.run()
/// }
/// ```
public final class SQLiteConnection {
  @usableFromInline package let handle: ConnectionHandle
  /// The settings that the connection was opened with.
  public let configuration: SQLiteConfiguration
  @exclusivity(unchecked) var statements = StatementCache<String>(capacity: 64)
  /// The cached statements of the user's SQL. They are separate because a statement that was
  /// compiled without restrictions must not be reused for the user's SQL.
  @exclusivity(unchecked) var guardedStatements = StatementCache<String>(capacity: 64)
  @exclusivity(unchecked) var controls = [SQLiteStatement?](
    repeating: nil, count: Control.allCases.count)
  @exclusivity(unchecked) var savepointDepth = 0
  /// Nil for a connection that holds no snapshots.
  @exclusivity(unchecked) var held: HeldSnapshot?
  /// The address of the log's index, once it was needed.
  @exclusivity(unchecked) var knownLogIndex: UnsafeRawPointer?
  /// Nil for a database in memory.
  let connectionFiles: ConnectionFiles?
  /// What a commit guarantees; nil until it is set.
  @exclusivity(unchecked) package internal(set) var durability: SQLiteConfiguration.Durability?

  /// Opens the database at a path.
  ///
  /// - Throws: ``SQLiteError``: ``SQLiteError/Code/cannotOpen`` if the file or directory does not
  ///   exist, ``SQLiteError/Code/notADatabase`` if the file is not a database, and
  ///   ``SQLiteError/Code/corrupt`` if it is damaged. The file is then unchanged.
  public convenience init(
    path: String, configuration: SQLiteConfiguration = .init()
  ) throws(SQLiteError) {
    try self.init(reading: path, configuration: configuration)
    try prepareForWriting()
  }

  /// Opens the database without changing it. The caller calls ``prepareForWriting()`` next.
  package init(reading path: String, configuration: SQLiteConfiguration) throws(SQLiteError) {
    self.configuration = configuration
    let common = SQLITE_OPEN_NOMUTEX
    switch configuration.access {
    case .readWrite:
      handle = try ConnectionHandle(
        path: path, file: path, flags: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .readWriteExisting:
      handle = try ConnectionHandle(
        path: path, file: path, flags: common | SQLITE_OPEN_READWRITE)
    case .readOnly:
      handle = try ConnectionHandle(
        path: path, file: path, flags: common | SQLITE_OPEN_READONLY)
    case .immutable:
      handle = try ConnectionHandle(
        path: Self.immutableURI(path), flags: common | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
    connectionFiles = handle.fullPath.flatMap(ConnectionFiles.init)
    if connectionFiles?.hasLogContent ?? false { keepLogWhenClosed() }
    try configure()
  }

  /// Opens a database in memory. Closing the connection deletes it.
  public init(inMemory configuration: SQLiteConfiguration) throws(SQLiteError) {
    self.configuration = configuration
    handle = try ConnectionHandle(
      path: ":memory:", flags: SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    connectionFiles = nil
    try configure()
  }

  /// Closes the connection; later calls throw. A second call has no effect. In a forked child
  /// process, the call has no effect.
  public func close() {
    // A statement that outlives the connection would keep the snapshot.
    discardHeldSnapshot()
    held = nil
    knownLogIndex = nil
    statements.removeAll()
    guardedStatements.removeAll()
    for index in controls.indices { controls[index] = nil }
    handle.close()
    connectionFiles?.closeLog()
  }

  deinit { close() }

  func pointer(sql: String? = nil) throws(SQLiteError) -> OpaquePointer {
    try handle.checkNotForked()
    guard let pointer = handle.pointer else { throw .closed(sql: sql) }
    return pointer
  }

  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        uri.append(Character(Unicode.Scalar(byte)))
      default:
        let digits = Array("0123456789ABCDEF")
        uri.append("%")
        uri.append(digits[Int(byte >> 4)])
        uri.append(digits[Int(byte & 15)])
      }
    }
    return uri + "?immutable=1"
  }
}
