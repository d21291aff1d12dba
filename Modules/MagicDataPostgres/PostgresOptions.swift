public import Logging
public import MagicData
import PostgreSQLEngine

/// The options for opening a database of PostgreSQL.
///
/// What a connection needs, such as hosts, TLS and the password, is part of the connection string.
public struct PostgresOptions: Sendable {
  /// The name of the PostgreSQL schema that contains the tables, created if it is missing. Default:
  /// nil; the server chooses the first schema of the user's `search_path`, usually `public`.
  public var schema: String?
  /// Whether the database is only read, for example on a standby server. Default: false.
  public var readOnly: Bool
  /// The maximum number of connections that read, at least 1. One more connection writes. Default: 4.
  public var readers: Int
  /// How the transactions of `MagicData` are kept apart. Default: `.serializable`.
  public var transactions: MagicTransactionIsolation
  /// How long a call looks for a server after its connection was lost, in seconds. 0: not at all.
  /// Default: 30.
  public var reconnectTimeout: Double
  /// How long a commit waits for its answer, in seconds. After that, the call throws `.uncertain`, and the
  /// server continues to commit: ask with `wasCommitted(_:)`. Default: nil; a commit waits without a
  /// limit, for example for a synchronous standby.
  ///
  /// The limit begins when the commit is sent. It does not end the wait for another transaction.
  public var commitTimeout: Double?
  /// A standby server that answers reads. Default: nil; all reads are answered by the server that
  /// writes.
  public var replica: MagicReplica?
  /// How long a migration waits until no other transaction uses its tables, in seconds. Other uses of
  /// the tables wait behind it meanwhile. After that, the call throws `.busy` and changes nothing.
  /// Default: 5.
  public var migrationTimeout: Double
  /// How observers learn of the commits of all processes. Default: ``PostgresObservation/automatic``.
  public var observation: PostgresObservation
  /// The logger that receives the SQL of every statement, without values, at level `debug`, and at
  /// level `notice` why observers do not use logical decoding. Default: nil.
  public var logger: Logger?
  /// The diagnostics that report slow uses of the database, for development. Default: nil.
  public var diagnostics: MagicDiagnostics?

  /// A closure that receives the SQL of every statement, in place of ``logger``.
  package var trace: (@Sendable (String) -> Void)?

  /// Creates options with the given values, and the defaults for all others.
  public init(
    schema: String? = nil, readOnly: Bool = false, readers: Int = 4,
    transactions: MagicTransactionIsolation = .serializable, reconnectTimeout: Double = 30,
    commitTimeout: Double? = nil, replica: MagicReplica? = nil, migrationTimeout: Double = 5,
    observation: PostgresObservation = .automatic, logger: Logger? = nil,
    diagnostics: MagicDiagnostics? = nil
  ) {
    self.schema = schema
    self.readOnly = readOnly
    self.readers = readers
    self.transactions = transactions
    self.reconnectTimeout = reconnectTimeout
    self.commitTimeout = commitTimeout
    self.replica = replica
    self.migrationTimeout = migrationTimeout
    self.observation = observation
    self.logger = logger
    self.diagnostics = diagnostics
  }

  /// Returns the engine's settings.
  ///
  /// - Throws: `MagicError` with `.invalidOption`.
  func settings(_ information: String) throws -> PostgreSQLSettings {
    guard readers > 0 else {
      throw MagicError(.invalidOption, "The number of readers is less than 1.")
    }
    try Self.check(schema: schema)
    guard reconnectTimeout >= 0, reconnectTimeout < 1e9 else {
      throw MagicError(.invalidOption, "The reconnection timeout is negative or too large.")
    }
    guard commitTimeout.map({ $0 > 0 && $0 < 1_000_000 }) ?? true else {
      throw MagicError(
        .invalidOption, "The timeout of commits is not between 0 and 1,000,000 seconds.")
    }
    guard replica.map({ $0.maxLag >= 0 && $0.maxLag < 1e9 }) ?? true else {
      throw MagicError(.invalidOption, "The greatest lag of the replica is negative or too large.")
    }
    guard migrationTimeout > 0, migrationTimeout < 1_000_000 else {
      throw MagicError(
        .invalidOption, "The timeout of migrations is not between 0 and 1,000,000 seconds.")
    }
    var settings = PostgreSQLSettings(information)
    settings.replica = replica?.connection
    settings.maxLag = replica?.maxLag ?? 0
    settings.transactionMode = transactions.mode
    settings.reconnectNanoseconds = UInt64(reconnectTimeout * 1e9)
    settings.commitMilliseconds = commitTimeout.map { Int(($0 * 1_000).rounded(.up)) }
    settings.schema = schema
    settings.isReadOnly = readOnly
    settings.readers = readers
    settings.migrationTimeout = migrationTimeout
    settings.observation = try observation.mode()
    if let logger { settings.note = { message in logger.notice("\(message)") } }
    settings.diagnostics = diagnostics
    settings.trace = statementTrace
    return settings
  }

  /// Checks the name of a PostgreSQL schema. The server would shorten a longer name.
  ///
  /// - Throws: `MagicError` with `.invalidOption`.
  static func check(schema: String?) throws {
    guard let schema, schema.isEmpty || schema.utf8.count > 63 || schema.utf8.contains(0) else {
      return
    }
    throw MagicError(
      .invalidOption, "The name of the PostgreSQL schema is empty, or longer than 63 bytes.")
  }

  private var statementTrace: (@Sendable (String) -> Void)? {
    if let trace { return trace }
    guard let logger else { return nil }
    return { sql in logger.debug("\(sql)") }
  }
}
