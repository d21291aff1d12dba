import Foundation
@_spi(Tools) import MagicSQLite

/// Reads a file that may be of unknown origin, with one read-only connection.
///
/// The connection refuses writes, functions in the file's schema that are not safe, and values
/// above a size. ``limited(to:_:)`` limits the time. Only one thread may use a reader at a time;
/// ``InspectionPool`` shares readers among tasks.
public final class InspectionReader {
  /// The path of the file. Of a symbolic link, it is that of the file to which the link refers: the
  /// write-ahead log and the assets are next to it.
  public let path: String
  /// The largest part of a text or blob that is copied, in bytes. Default: 1 MiB.
  public var valueLimit = 1 << 20
  let connection: SQLiteConnection
  private var deadline: ContinuousClock.Instant?

  /// The size of the largest value or row that SQLite may create, in bytes.
  static let lengthLimit = 64 << 20

  /// Opens a file.
  ///
  /// - Throws: ``InspectionError``: `missingFile`, `notADatabase`, `damaged` or `unreadable`.
  public init(path: String) throws(InspectionError) {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    self.path = path
    try Self.checkFile(path)
    do {
      connection = try Self.opened(path)
    } catch {
      throw InspectionError(error)
    }
  }

  init(path: String, connection: SQLiteConnection) throws(InspectionError) {
    self.path = path
    self.connection = connection
    do { try Self.restrict(connection) } catch { throw InspectionError(error) }
  }

  /// Closes the file. Later calls throw. An empty write-ahead log is deleted if no other connection has
  /// the file open.
  public func close() {
    let deletesLog = connection.configuration.access == .readOnly && hasLog
    connection.close()
    if deletesLog { Self.deleteEmptyLog(of: path) }
  }

  /// Returns a number that differs after each commit, also of other processes. Two readers of a
  /// file have different numbers.
  public func commitCounter() throws -> Int64 {
    try translatingErrors { try integer("PRAGMA data_version") ?? 0 }
  }

  /// Runs a body on one snapshot of the file.
  public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    guard !connection.isInTransaction else { return try body() }
    return try translatingErrors { try connection.transaction(.deferred, body) }
  }

  /// Runs a body with a limit of time. Within a body with a limit, the earlier limit counts.
  ///
  /// - Throws: what the body throws: ``InspectionError`` with the kind `limit` soon after the time.
  public func limited<Result>(
    to duration: Duration, _ body: () throws -> Result
  ) throws -> Result {
    let end = ContinuousClock.now.advanced(by: duration)
    let outer = deadline
    deadline = outer.map { min($0, end) } ?? end
    defer { deadline = outer }
    return try translatingErrors {
      guard outer == nil else { return try body() }
      return try connection.interrupting(when: { [unowned self] in isOver }, body)
    }
  }

  private var isOver: Bool {
    if let deadline, ContinuousClock.now >= deadline { return true }
    return Task.isCancelled
  }

  func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw InspectionError(error)
    }
  }
}

extension InspectionReader {
  static func checkFile(_ path: String) throws(InspectionError) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    switch attributes?[.type] as? FileAttributeType {
    case nil where fileSize(path + "-wal") > 0:
      throw InspectionError(
        .missingFile,
        "There is no such file, but its write-ahead log exists: the file was moved or deleted.")
    case nil, .typeSymbolicLink:
      throw InspectionError(.missingFile, "There is no such file.")
    case .typeDirectory:
      throw InspectionError(.missingFile, "The path is a directory. Name the file of the database.")
    case .typeRegular: break
    default:
      throw InspectionError(.notADatabase, "The path is a device or a pipe, and not a file.")
    }
    guard fileSize(path) > 0 else {
      throw InspectionError(.notADatabase, "The file is empty: it contains no objects yet.")
    }
  }

  static func fileSize(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }

  private static func opened(_ path: String) throws(SQLiteError) -> SQLiteConnection {
    let connection: SQLiteConnection
    do {
      connection = try SQLiteConnection(path: path, configuration: configuration(.readOnly))
    } catch  where error.code == .cannotOpen && fileSize(path + "-wal") == 0 {
      // Without a log the file is complete, and is read where no file can be created.
      connection = try SQLiteConnection(path: path, configuration: configuration(.immutable))
    }
    try restrict(connection)
    return connection
  }

  static func restrict(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.restrictToReading(length: lengthLimit)
  }

  static func configuration(_ access: SQLiteConfiguration.Access) -> SQLiteConfiguration {
    SQLiteConfiguration(access: access, busyTimeout: 1, cacheSize: 16_384)
  }
}

extension InspectionReader {
  /// Runs a statement with values, and calls the closure for each row until it returns false.
  func rows(
    _ sql: String, _ values: [InspectedValue] = [], _ body: (SQLiteStatement) throws -> Bool
  ) throws {
    let statement = try connection.cachedStatement(sql)
    defer {
      statement.reset()
      statement.clearBindings()
    }
    for (index, value) in values.enumerated() { try value.bind(to: statement, at: index + 1) }
    while try statement.step() {
      guard try body(statement) else { return }
    }
  }

  /// Runs a statement with values, and returns the result of the closure for each row.
  func map<Row>(
    _ sql: String, _ values: [InspectedValue] = [], limit: Int = .max,
    _ body: (SQLiteStatement) throws -> Row
  ) throws -> [Row] {
    var found: [Row] = []
    try rows(sql, values) { statement in
      found.append(try body(statement))
      return found.count < limit
    }
    return found
  }

  /// Returns the first column of the first row as an integer.
  func integer(_ sql: String, _ values: [InspectedValue] = []) throws -> Int64? {
    try map(sql, values, limit: 1) { $0.column(0).isNull ? nil : $0.column(0).integer }.first ?? nil
  }
}

extension SQLiteStatement {
  /// The text of a column; nil for NULL.
  func text(_ index: Int) -> String? { column(index).isNull ? nil : column(index).text }
}
