import CPostgreSQL
import MagicRuntime

/// One connection to a server.
///
/// Only one thread may use a connection at a time, and its calls block this thread.
package final class PostgreSQLConnection {
  /// The connection of libpq; nil once it is closed.
  @exclusivity(unchecked) private(set) var pointer: OpaquePointer?
  /// Whether sending or receiving has failed, so that the connection is lost, also if its status is still good.
  @exclusivity(unchecked) var isBroken = false
  /// The numbers of the statements that the connection has prepared.
  @exclusivity(unchecked) var prepared: Set<Int> = []
  /// The statements whose results were not read yet.
  @exclusivity(unchecked) var deferred: [Deferred] = []
  /// Whether the server was asked to answer the deferred statements, so that no other one can join them.
  @exclusivity(unchecked) var hasEndedPipeline = false
  /// A COPY whose rows were sent, and whose result was not read yet.
  @exclusivity(unchecked) var deferredCopy: DeferredCopy?
  /// The error of the deferred COPY, after which its savepoint was restored.
  @exclusivity(unchecked) var deferredError: PostgreSQLError?
  /// The statements that run ahead, whose results were not read yet.
  @exclusivity(unchecked) var ahead = StatementsAhead()
  /// Whether calls that wait for the server are refused.
  @exclusivity(unchecked) package var mustNotWait = false
  /// The first conflict with another transaction since the owner of the connection has cleared it:
  /// a serialization failure or a deadlock.
  @exclusivity(unchecked) package var conflict: PostgreSQLError?
  /// The longest time that a commit waits for its answer, in milliseconds; nil for no limit.
  @exclusivity(unchecked) package var commitMilliseconds: Int?
  /// The cancellation of the call that uses the connection; nil if the call cannot be cancelled.
  @exclusivity(unchecked) private(set) var cancellation: StatementCancellation?
  /// Made once, because other threads may send it while this connection is in use.
  @exclusivity(unchecked) private var cancelRequest: CancelRequest?
  /// Receives the SQL of each statement.
  let trace: (@Sendable (String) -> Void)?
  let noParameters = PostgreSQLFields()
  private let notices = Notices()
  private let origin = ProcessOrigin()

  /// What the server has reported beside results.
  final class Notices {
    /// Whether a commit was not confirmed by a standby.
    @exclusivity(unchecked) var isUnconfirmed = false
  }

  /// Opens a connection.
  ///
  /// - Parameters:
  ///   - information: the connection string of libpq, or a URI.
  ///   - replicates: whether the connection also runs the commands of replication. Such a connection
  ///     runs no prepared statements.
  /// - Throws: ``PostgreSQLError`` with `.cannotConnect` or `.libraryMissing`.
  package init(
    _ information: String, replicates: Bool = false, trace: (@Sendable (String) -> Void)? = nil
  ) throws(PostgreSQLError) {
    self.trace = trace
    try PostgreSQLLibrary.load()
    guard !information.utf8.contains(0) else {
      throw PostgreSQLError(.cannotConnect, "The connection string contains a NUL character.")
    }
    // The message of libpq could quote a part of the password.
    guard magic_can_parse(information) == 1 else { throw Self.malformed() }
    guard let pointer = magic_connect(information, replicates ? 1 : 0) else {
      throw PostgreSQLError(.cannotConnect, "There is not enough memory for a connection.")
    }
    guard magic_PQstatus(pointer) == Int32(magic_connection_ok) else {
      let error =
        Self.isAmbiguous(information)
        ? Self.malformed() : PostgreSQLError(.cannotConnect, Self.message(of: pointer))
      magic_PQfinish(pointer)
      throw error
    }
    self.pointer = pointer
    cancelRequest = CancelRequest(pointer)
    _ = magic_PQsetNoticeReceiver(
      pointer,
      { context, result in
        guard let context, let result else { return }
        let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
        // A commit whose wait for a standby was cancelled reports success after this warning.
        // Triggers can report warnings with the same SQLSTATE, from other files of the server.
        let state = PostgreSQLError.field(magic_field_sqlstate, of: result)
        let file = PostgreSQLError.field(magic_field_file, of: result)
        if file == "syncrep.c" && (state == "01000" || state == "57P01") {
          notices.isUnconfirmed = true
        }
      }, Unmanaged.passUnretained(notices).toOpaque())
    guard magic_PQparameterStatus(pointer, "server_encoding").map({ String(cString: $0) }) == "UTF8"
    else {
      close()
      throw PostgreSQLError(.cannotConnect, "The encoding of the database is not UTF8.")
    }
    // With this setting, `x = NULL` would be `x IS NULL`.
    try execute(
      "SET client_encoding TO 'UTF8'; SET transform_null_equals TO off; \(Self.setTimeouts)")
  }

  /// Lets the server end a connection whose client has vanished, so that its locks are released, also
  /// while it runs a statement. Settings that the server or the connection string has changed stay. Unix
  /// sockets ignore those of TCP.
  private static let setTimeouts = """
    SELECT set_config(name, value, false) FROM pg_settings JOIN (VALUES \
    ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), \
    ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '60000'), \
    ('client_connection_check_interval', '10000')) AS v (name, value) USING (name) \
    WHERE source = 'default'
    """

  private static func malformed() -> PostgreSQLError {
    PostgreSQLError(
      .cannotConnect,
      "The connection string is not valid. Check the names of its parameters, quote values with spaces, "
        + "and percent-encode the special characters of a URI.")
  }

  /// Whether libpq could take a part of the password for another part of a URI, because the password
  /// is not percent-encoded. Its messages quote those parts.
  private static func isAmbiguous(_ information: String) -> Bool {
    guard
      let scheme = ["postgresql://", "postgres://"].first(where: { information.hasPrefix($0) })
    else { return false }
    let rest = information.utf8.dropFirst(scheme.utf8.count)
    let userEnd = rest.lastIndex(of: UInt8(ascii: "@")) ?? rest.startIndex
    return rest[..<userEnd].contains { "@/?#[]".utf8.contains($0) }
  }

  /// Closes the connection; later calls throw. A second call has no effect. In a forked child
  /// process, the call has no effect, because the server would end the parent's connection.
  package func close() {
    guard let pointer, !origin.isForked else { return }
    self.pointer = nil
    magic_PQfinish(pointer)
  }

  deinit { close() }

  /// The version of the server, for example 150018.
  package var serverVersion: Int { pointer.map { Int(magic_PQserverVersion($0)) } ?? 0 }

  /// Whether the connection is closed or lost.
  package var isLost: Bool {
    guard let pointer, !isBroken else { return true }
    return magic_PQstatus(pointer) != Int32(magic_connection_ok)
  }

  /// The state of the connection's transaction.
  package enum TransactionState {
    case none, open
    /// A statement has failed, and the server refuses all others before the rollback.
    case failed
    case lost
  }

  package var transactionState: TransactionState {
    guard let pointer, !isLost else { return .lost }
    let state = magic_PQtransactionStatus(pointer)
    if state == Int32(magic_transaction_idle) { return .none }
    if state == Int32(magic_transaction_failed) { return .failed }
    return state == Int32(magic_transaction_open)
      || state == Int32(magic_transaction_active) ? .open : .lost
  }

  /// Lets a cancellation interrupt the statements of this connection.
  ///
  /// - Parameter cancellation: nil at the end of the call.
  package func attach(_ cancellation: StatementCancellation?) {
    cancellation?.use(cancelRequest)
    self.cancellation = cancellation
  }

  /// Asks the server to cancel the running statement. It must not be a commit.
  func cancel() { cancelRequest?.send() }

  func open() throws(PostgreSQLError) -> OpaquePointer {
    guard !origin.isForked, let pointer else { throw .closed() }
    return pointer
  }

  /// The same before a statement, which a cancelled call does not send.
  func openForStatement() throws(PostgreSQLError) -> OpaquePointer {
    let pointer = try open()
    try cancellation?.check()
    return pointer
  }

  /// Returns whether a commit since the last call was not confirmed by a standby.
  func takeUnconfirmed() -> Bool {
    defer { notices.isUnconfirmed = false }
    return notices.isUnconfirmed
  }

  /// The error of the connection itself. Messages of libpq contain no values of rows.
  func connectionError(sql: String?) -> PostgreSQLError {
    guard let pointer else { return .closed() }
    var error = PostgreSQLError(isLost ? .connectionLost : .refused, Self.message(of: pointer))
    error.sql = sql
    return error
  }

  static func message(of pointer: OpaquePointer?) -> String {
    var message = pointer.flatMap { magic_PQerrorMessage($0) }.map { String(cString: $0) } ?? ""
    while message.last?.isNewline == true { message.removeLast() }
    return message
  }
}
