import Foundation
import MagicBrowser
import Testing
import ToolTestSupport

/// A descriptor that is closed twice may be that of a database, so each is closed once.
@Suite(.timeLimit(.minutes(5))) struct DescriptorTests {
  @Test func refusedConnectionsCloseNoDescriptorOfOthers() async throws {
    try await Town.withDatabase { path in
      let browser = MagicBrowser(path: path)
      let port = Served(try await browser.start()).port
      await browser.stop()
      let account = try await DescriptorWitness.watching(path) {
        try await onThread {
          for _ in 0..<5_000 {
            #expect(throws: ExchangeError.noConnection) { _ = try Connection(port: port) }
          }
        }
      }
      #expect(account.lost == 0)
      #expect(account.opened > 100)
    }
  }

  @Test func startsAndStopsCloseNoDescriptorOfOthers() async throws {
    try await Town.withDatabase { path in
      let account = try await DescriptorWitness.watching(path) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask {
              for _ in 0..<8 {
                let browser = MagicBrowser(path: path)
                let served = Served(try await browser.start())
                async let page = served.get("/types.csv")
                async let refused: Void? = try? onThread {
                  _ = try Connection(port: served.port, host: "127.0.0.2")
                }
                #expect(try await page.status == 200)
                _ = await refused
                // Stops while a request may be running, and twice at once.
                async let last: Exchange? = try? served.get("/type/Person")
                async let first: Void = browser.stop()
                async let second: Void = browser.stop()
                _ = await (first, second, last)
              }
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(account.lost == 0)
      #expect(account.opened > 100)
    }
  }
}
