package import MagicEngine
package import MagicPostgreSQL
import MagicSchema
import PostgreSQLTables

/// What a publisher knows of its database.
package struct PublisherContext: Sendable {
  package let settings: PostgreSQLSettings
  private let context: EngineContext
  private let replica: Replica?

  init(_ context: EngineContext, _ settings: PostgreSQLSettings, _ replica: Replica?) {
    self.context = context
    self.replica = replica
    self.settings = settings
  }

  package var feed: ChangeFeed { context.feed }

  /// Lets the standby server for reads answer only if it has everything that is committed now. Called
  /// before observers learn of a commit of another process.
  package func advanceReplica(on connection: PostgreSQLConnection) throws {
    guard let replica, replica.hasPosition else { return }
    do {
      replica.advance(to: try connection.execute(Replica.selectPosition))
    } catch {
      // The user may not read the position. A transaction has failed with the statement, so that it is
      // not asked for again.
      if error.sqlState == "42501" { replica.note(nil) }
      throw error
    }
  }

  /// Opens a connection that uses the schema of the database.
  package func connect() throws -> PostgreSQLConnection {
    try PostgreSQLDatabase.connect(settings, context)
  }

  /// The name of the primary column of the type that uses a table in this process; empty if it has
  /// none, nil if there is no such type.
  package func primary(of table: String) -> String? { context.owners.type(of: table)?.primaryName }

  /// The names of the columns of the key of the type that uses a table in this process.
  package func key(of table: String) -> [String]? { context.owners.type(of: table)?.keyNames }

  /// The join types of the collections of the type that uses a table in this process.
  package func joinTypes(of table: String) -> [ObservedJoinType] {
    context.owners.type(of: table)?.observedJoinTypes ?? []
  }

  /// Whether this is the child of the process that has opened the database.
  package var isForked: Bool { context.lifecycle.isForked }

  /// The SQL that waits until no other transaction writes to the schema of the catalogue.
  package static var lockForWriting: String { WriteMode.lockAlone }
}
