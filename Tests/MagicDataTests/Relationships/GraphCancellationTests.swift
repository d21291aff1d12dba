import Foundation
import Logging
import MagicData
import MagicTestSupport
import Testing

/// A cancelled save of a graph changes nothing.
@Suite struct GraphCancellationTests {
  let scratch = Scratch()

  @Test(arguments: [100, 500, 3_000])
  func aCancelledSaveStoresNoObject(statement: Int) async throws {
    let handler = CancellingHandler(after: statement)
    let magic = try await MagicData(
      path: scratch.file(), options: MagicOptions(logger: Logger(label: "test") { _ in handler }))
    let team = Team("red")
    team.players = (0..<3_000).map { Player("\($0)") }
    team.reserve = MagicalSet(team.players[100..<2_000])
    team.roles = Dictionary(uniqueKeysWithValues: team.players.map { ($0.name, $0) })
    team.captain = team.players[5]
    for player in team.players { player.rival = team.players[7] }
    let task = Task { try await magic.update(team) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(team.zIndex == nil)
    #expect(team.players.allSatisfy { $0.zIndex == nil })
    #expect(try await magic.object(of: Player.self).isEmpty)
    #expect(try await magic.object(of: Team.self).isEmpty)

    try await magic.update(team)
    let stored = try await magic.object(of: Team.self, primary: "red")
    #expect(stored.players.map(\.name) == (0..<3_000).map(String.init))
    #expect(stored.reserve.count == 1_900)
    #expect(stored.roles.count == 3_000)
    #expect(stored.roles.allSatisfy { $0.key == $0.value.name })
    #expect(stored.players.allSatisfy { $0.rival?.name == "7" })
    #expect(stored.captain?.name == "5")
    team.players[7].rival = nil
  }
}

/// Cancels the task after it has run a number of statements after the first insert.
private final class CancellingHandler: LogHandler, @unchecked Sendable {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .debug
  private let lock = NSLock()
  private let limit: Int
  private var count = 0

  init(after limit: Int) { self.limit = limit }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let isNow = lock.withLock {
      if count > 0 || "\(event.message)".hasPrefix("INSERT") { count += 1 }
      return count == limit
    }
    if isNow { withUnsafeCurrentTask { $0?.cancel() } }
  }
}
