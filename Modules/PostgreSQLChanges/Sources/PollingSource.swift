import MagicEngine
import MagicPostgreSQL
import PostgreSQLEngine

/// Asks the server whether transactions have written, without learning what: for databases that are
/// only read, for example on a standby server, and users that may create no tables.
///
/// The transactions of all databases of the server count.
final class PollingSource: CommitSource {
  private let context: PublisherContext
  private let wakeup: Wakeup
  private let side: SideConnection
  private var last: String?

  var record: CommitRecord? { nil }

  init(_ context: PublisherContext, _ wakeup: Wakeup) {
    (self.context, self.wakeup) = (context, wakeup)
    side = SideConnection(context)
  }

  private static let select = PostgreSQLStatement("SELECT pg_current_snapshot()::text")

  func open(mustEnd: @escaping @Sendable () -> Bool) throws {
    last = try side.open().run(Self.select).text(0, 0)
  }

  func step() throws {
    let connection = try side.open()
    try connection.wait(wakeup, milliseconds: Int(context.settings.observation.interval * 1000))
    let current = try connection.run(Self.select).text(0, 0)
    guard current != last else { return }
    last = current
    context.feed.publishExternal()
  }

  func close() { side.close() }
}
