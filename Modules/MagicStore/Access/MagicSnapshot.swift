import MagicSQLite
import SQLiteEngine
import SQLiteFiles
import SQLiteTables

/// A snapshot of a database: several reads that see one state of it, whatever is written meanwhile.
///
/// ```swift
/// let (people, count) = try await magic.read { snapshot in
///   (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
/// }
/// ```
///
/// It cannot be copied, kept or used from another task.
public struct MagicSnapshot: ~Copyable {
  package let context: OpenSnapshot

  init(_ context: OpenSnapshot) { self.context = context }
}

extension MagicSnapshot: DatabaseReader {
  /// Runs a read on the snapshot.
  public func _read<Result>(_ body: (borrowing ReadAccess) throws -> Result) throws -> Result {
    try context._read(body)
  }
}

/// A snapshot that is open: what its queries and raw SQL run on.
///
/// It ends with the body of the read; what is asked of it later throws `.transactionOver`.
public final class OpenSnapshot {
  private var connection: StoreConnection?
  /// Nil inside a transaction, which ends by itself.
  private let pin: SnapshotPin?
  /// What a read failed of: the snapshot is over, and its body runs again once the table was
  /// changed.
  private(set) var required: MigrationRequired?

  init(_ connection: StoreConnection, _ pin: SnapshotPin?) {
    self.connection = connection
    self.pin = pin
  }

  /// The body is done.
  func end() { connection = nil }
}

@available(*, unavailable)
extension OpenSnapshot: Sendable {}

extension OpenSnapshot: DatabaseReader {
  /// Runs a read on the snapshot.
  public func _read<Result>(_ body: (borrowing ReadAccess) throws -> Result) throws -> Result {
    guard let connection else {
      throw MagicError(.transactionOver, "The snapshot is over.")
    }
    try connection.lifecycle.checkMayContinue()
    try Task.checkCancellation()
    guard required == nil else { throw MagicError.bodyRunsAgain() }
    do {
      guard let pin else { return try mapping { try body(ReadAccess(connection)) } }
      return try pin.reading { try mapping { try body(ReadAccess(connection)) } }
    } catch let error as MigrationRequired {
      // The body may catch an error, so it is not left to it to rethrow this one.
      required = error
      throw MagicError.bodyRunsAgain()
    } catch {
      throw connection.lifecycle.explained(error)
    }
  }
}

extension MagicError {
  fileprivate static func bodyRunsAgain() -> MagicError {
    MagicError(
      .transactionOver, "A table must be changed first: then the body of the read runs again.")
  }
}
