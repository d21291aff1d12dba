import ArgumentParser
import MagicData
import MagicDataPostgres
import MagicInspection
import MagicServerInspection

/// The database that a command is about: a file, or tables on a server of PostgreSQL.
struct DatabaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The file of the database, a directory that contains default.sqlite3, or the address of a "
        + "database of PostgreSQL: a URI, or 'host=… dbname=…'.", valueName: "file"),
    completion: .file())
  var place: String
  @Option(help: "The PostgreSQL schema of the tables. Default: the first one of the search path.")
  var schema: String?

  func validate() throws {
    guard schema == nil || isOnServer else {
      throw ValidationError("--schema is for a database of PostgreSQL, and this is a file.")
    }
  }

  var isOnServer: Bool { ServerAddress.isAddress(place) }

  /// The file.
  var file: FileArgument {
    var argument = FileArgument()
    argument.file = place
    return argument
  }

  var location: MagicDatabaseLocation { Self.location(place, schema: schema) }

  static func location(_ place: String, schema: String?) -> MagicDatabaseLocation {
    ServerAddress.isAddress(place)
      ? .postgres(place, schema: schema) : .file(FileArgument.path(place))
  }

  /// Opens the database for reading with the library, and closes it after the body.
  ///
  /// - Parameters:
  ///   - seconds: the time limit for statements of a server; nil for none.
  ///   - readers: the maximum number of concurrent reads on a server.
  ///   - reconnectTimeout: for how many seconds a call waits for a server that has restarted.
  func opening<Result>(
    seconds: Double? = nil, readers: Int = 1, reconnectTimeout: Double = 0,
    _ body: (MagicData) async throws -> Result
  ) async throws -> Result {
    guard isOnServer else { return try await file.opening(readOnly: true, body) }
    var address = place
    if let seconds {
      guard let limited = ServerAddress.limiting(place, seconds: seconds) else {
        throw ValidationError(
          "The time cannot be limited: the address has options in a notation with escapes.")
      }
      address = limited
    }
    let magic = try await MagicData(
      postgres: address,
      options: PostgresOptions(
        schema: schema, readOnly: true, readers: readers, reconnectTimeout: reconnectTimeout))
    do {
      try await Self.check(magic)
      let result = try await body(magic)
      await magic.close()
      return result
    } catch {
      await magic.close()
      throw error
    }
  }

  /// Reads a database on a server, on one snapshot.
  ///
  /// - Parameter seconds: the time limit for statements; nil for none.
  func reading<Result: Sendable>(
    seconds: Double? = nil, _ body: @Sendable (ServerReader) throws -> Result
  ) async throws -> Result {
    try await opening(seconds: seconds) { try await ServerPool($0).read(body) }
  }

  /// Reads types and objects of a database on a server, on one snapshot.
  func inspecting<Result: Sendable>(
    _ body: @Sendable (ServerReader, InspectedDatabase) throws -> Result
  ) async throws -> Result {
    try await reading { try body($0, try $0.database()) }
  }

  /// Refuses databases of other programs.
  private static func check(_ magic: MagicData) async throws {
    let exists = try await magic.sql("SELECT to_regclass('magic_types') IS NOT NULL").value(
      Bool.self)
    guard exists == true else {
      throw CommandError(
        ExitStatus.noDatabase, "The database on the server contains no objects of MagicData.")
    }
  }
}
