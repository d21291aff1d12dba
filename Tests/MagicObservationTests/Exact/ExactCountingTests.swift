import Foundation
import Logging
import MagicData
import MagicTestSupport
import Testing

/// Observation costs a write no statements, and leaves nothing in the file.
@Suite struct ExactCountingTests {
  @Test func aRowIDIsNotAssignedTwiceWhileObserved() async throws {
    let magic = try await MagicData(type: .temporary)
    let texts = try await reported(ExactTag.self, in: magic) {
      for (number, way) in ["one", "sql", "all", "query"].enumerated() {
        let tags = [ExactTag("a"), ExactTag("b")]
        try await $0.update(contentsOf: tags)
        #expect(tags.map { $0.zIndex?.rawValue } == [Int64(2 * number + 1), Int64(2 * number + 2)])
        switch way {
        case "one": for tag in tags.reversed() { try await $0.remove(tag) }
        case "sql": try await $0.sql("DELETE FROM ExactTag").run()
        case "all": try await $0.removeAll(of: ExactTag.self)
        default: try await $0.query(ExactTag.self).delete()
        }
      }
    }
    #expect(texts == ["+1 +2", "-2", "-1", "+3 +4", "-3 -4", "+5 +6", "-5 -6", "+7 +8", "-7 -8"])
  }

  @Test func theTriggersAreDroppedWithTheLastObserver() async throws {
    let magic = try await exactItems()
    func triggers() async throws -> Int? {
      try await magic.transaction { transaction in
        try transaction.sql("UPDATE ExactItem SET weight = weight + 1").run()
        return try transaction.sql(
          "SELECT count(*) FROM sqlite_temp_master WHERE type = 'trigger'"
        ).value(Int.self)
      }
    }
    #expect(try await triggers() == 0)
    do {
      let items = magic.changes(of: ExactItem.self)
      let all = magic.changes()
      #expect(try await triggers() == 6)
      withExtendedLifetime((items, all)) {}
    }
    #expect(try await triggers() == 0)
    await magic.close()
  }

  @Test func anObservedInsertRunsOneMoreStatement() async throws {
    let recorder = StatementCounter()
    var logger = Logger(label: "test") { _ in recorder }
    logger.logLevel = .debug
    let magic = try await MagicData(type: .temporary, options: MagicOptions(logger: logger))
    func statements() async throws -> Int {
      let before = recorder.count
      try await magic.transaction { transaction in
        for number in 0..<100 { try transaction.update(ExactTag("\(number)")) }
      }
      return recorder.count - before
    }
    _ = try await statements()
    let without = try await statements()
    let changes = magic.changes(of: ExactTag.self)
    _ = try await statements()
    let with = try await statements()
    #expect(without >= 100 && with - without <= 105, "\(without) without, \(with) with")
    await magic.close()
    withExtendedLifetime(changes) {}
  }
}

private final class StatementCounter: LogHandler, @unchecked Sendable {
  private let lock = NSLock()
  private var lines = 0

  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  var count: Int { lock.withLock { lines } }

  func log(event: LogEvent) {
    // Statements of triggers are logged as comments.
    if !event.message.description.hasPrefix("--") { lock.withLock { lines += 1 } }
  }
}
