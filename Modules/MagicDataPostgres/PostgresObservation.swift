import MagicStore
import PostgreSQLEngine

/// How the observers of a database learn of the commits of all processes.
///
/// ```swift
/// let options = PostgresOptions(observation: .automatic)
/// ```
public struct PostgresObservation: Sendable, Hashable {
  private let kind: ObservationMode

  /// Logical decoding where the server and the user of the connection permit it, else the outbox. The
  /// default.
  public static let automatic = PostgresObservation(kind: .automatic)

  /// Logical decoding of the server's write-ahead log. Opening the database throws `.invalidOption` with
  /// the reason if it is not possible: it needs `wal_level = logical`, a user with the attribute
  /// `REPLICATION`, and a replication slot for each process with observers.
  public static let logical = PostgresObservation(kind: .logical)

  /// A table to which triggers write the changed rows.
  ///
  /// - Parameter seconds: the interval in which the table is read, at least 0.01. A notification of the
  ///   server usually arrives earlier.
  public static func outbox(every seconds: Double = 0.5) -> PostgresObservation {
    PostgresObservation(kind: .outbox(seconds))
  }

  /// - Throws: `MagicError` with `.invalidOption`.
  func mode() throws -> ObservationMode {
    guard (0.01...86_400).contains(kind.interval) else {
      throw MagicError(
        .invalidOption, "The interval of the outbox is not between 0.01 and 86,400 seconds.")
    }
    return kind
  }
}
