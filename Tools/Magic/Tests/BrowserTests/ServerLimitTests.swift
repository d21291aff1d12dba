import Foundation
import MagicBrowser
import Testing
import ToolTestSupport

/// Requests that a web browser does not send. Each connection ends, and other ones are served.
@Suite struct ServerLimitTests {
  private func served<Result: Sendable>(
    _ body: (Served) async throws -> Result
  ) async throws -> Result {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let result = try await body(served)
        #expect(try await served.get("/types.csv").status == 200)
        return result
      }
    }
  }

  /// Sends bytes on a connection of its own, and reads until the server ends it.
  private func answer(_ served: Served, _ text: String) async throws -> Exchange {
    try await onThread { [port = served.port] in
      let connection = try Connection(port: port)
      connection.write(text)
      return try Exchange(connection.readAll())
    }
  }

  @Test func headsWithoutEndAreRefusedAfter32KiB() async throws {
    try await served { served async throws in
      let line = "X-Filler: " + String(repeating: "x", count: 1_000) + "\r\n"
      let many = "GET / HTTP/1.1\r\n" + String(repeating: line, count: 1_000)
      #expect(try await answer(served, many).status == 431)
      let endless = "GET /" + String(repeating: "x", count: 2 << 20)
      #expect(try await answer(served, endless).status == 431)
    }
  }

  @Test func headsThatAreSlowAreRefusedAfter10Seconds() async throws {
    try await served { served async throws in
      let status = try await onThread { [port = served.port] in
        let connection = try Connection(port: port)
        let start = ContinuousClock.now
        connection.write("GET / HTTP/1.1\r\n")
        // A line each second would never end.
        while ContinuousClock.now - start < .seconds(20) {
          connection.write("X: 1\r\n")
          Thread.sleep(forTimeInterval: 1)
          if connection.hasEnded { break }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        return try Exchange(connection.readAll()).status
      }
      #expect(status == 408)
    }
  }

  @Test func moreThan100HeadersAreRefused() async throws {
    try await served { served async throws in
      let lines = (0..<101).map { "X-\($0): 1\r\n" }.joined()
      #expect(try await answer(served, "GET / HTTP/1.1\r\n\(lines)\r\n").status == 431)
    }
  }

  @Test(arguments: [
    ("GET\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
    ("G(T / HTTP/1.1\r\n\r\n", 400), ("GET /\u{E9} HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded: 1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n", 400),
  ])
  func invalidHeadsAreRefused(_ head: String, _ status: Int) async throws {
    try await served { served async throws in
      #expect(try await answer(served, head).status == status)
    }
  }

  @Test func severalRequestsUseOneConnection() async throws {
    try await served { served async throws in
      let head = "Host: 127.0.0.1:\(served.port)\r\nCookie: \(served.cookie)\r\n"
      // Both are sent before the first is answered.
      let two = try await answer(
        served,
        "GET /types.csv HTTP/1.1\r\n\(head)\r\nGET /nothing HTTP/1.1\r\n\(head)Connection: close\r\n\r\n"
      )
      #expect(two.status == 200)
      #expect(two["Connection"] == "keep-alive")
      #expect(two.text.contains("HTTP/1.1 404 Not Found"))
    }
  }

  /// A body that waits for the acknowledgement of the head arrives 40 ms later, in each response.
  @Test func responsesOfOneConnectionDoNotWaitForAcknowledgements() async throws {
    let limit = Duration.milliseconds(35)
    try await served { served async throws in
      let times = try await onThread { [port = served.port, cookie = served.cookie] in
        let connection = try Connection(port: port)
        var times: [Duration] = []
        // While other tests use the processors, more requests are needed until one of them does not wait.
        while times.count < 30
          || times.count < 600 && times.dropFirst(10).allSatisfy({ $0 >= limit })
        {
          let start = ContinuousClock.now
          connection.clear()
          connection.write(
            "GET /style.css HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(cookie)\r\n\r\n")
          let response = try connection.readMessage()
          #expect(response.status == 200)
          times.append(ContinuousClock.now - start)
        }
        return times
      }
      // The machine of a test may be busy. The first responses of a connection are acknowledged at once.
      #expect(try #require(times.dropFirst(10).min()) < limit)
    }
  }

  @Test func connectionsAboveTheLimitAreRefusedAndLaterOnesServed() async throws {
    try await served { served async throws in
      let statuses = try await onThread { [port = served.port] in
        var connections: [Connection] = []
        for _ in 0..<128 { connections.append(try Connection(port: port)) }
        let last = try Connection(port: port)
        return try Exchange(last.readAll()).status
      }
      #expect(statuses == 503)
      // The connections of before have ended; the server notices it at once.
      for _ in 0..<200 {
        if (try? await served.get("/types.csv").status) == 200 { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      Issue.record("The server refuses connections although the others have ended.")
    }
  }

  @Test func stopEndsConnectionsThatSendNothing() async throws {
    try await Town.withDatabase { path in
      // A busy machine may take longer than the usual limit.
      let browser = MagicBrowser(path: path, headTime: .seconds(3_600))
      let port = Served(try await browser.start()).port
      let silent = try Connection(port: port)
      let half = try Connection(port: port)
      half.write("GET / HTT")
      try await Task.sleep(for: .milliseconds(100))
      await browser.stop()
      // A connection whose head was not complete in time would have received a response.
      for held in [Held(silent), Held(half)] {
        let received = try await onThread { held.value.readAll() }
        #expect(received.isEmpty)
      }
      #expect(throws: ExchangeError.noConnection) { _ = try Connection(port: port) }
    }
  }

  @Test func startsAndStopsLeaveNoDescriptorOpen() async throws {
    #if os(Linux)
      try await Town.withDatabase { path in
        func files() -> [String] {
          let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
          return (names ?? []).compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
              atPath: "/proc/self/fd/" + name)
            return target?.hasPrefix(path) == true ? target : nil
          }
        }
        let before = files()
        let browser = MagicBrowser(path: path)
        for _ in 0..<5 {
          _ = try await browser.start()
          await browser.stop()
        }
        #expect(files() == before)
        // Sockets of other tests have other ports, so the port shows whether its socket is closed.
        let port = Served(try await browser.start()).port
        await browser.stop()
        let again = MagicBrowser(path: path, port: port)
        #expect(Served(try await again.start()).port == port)
        await again.stop()
      }
    #endif
  }
}

/// A connection that another thread uses next.
private struct Held: @unchecked Sendable {
  let value: Connection
  init(_ value: Connection) { self.value = value }
}
