import Foundation
import MagicBrowser

/// A running browser, with the cookie of a user that has opened its address.
struct Served {
  let address: URL
  let port: UInt16
  let token: String

  var cookie: String { "magic-\(port)=\(token)" }

  init(_ address: URL) {
    self.address = address
    port = UInt16(address.port ?? 0)
    token = address.query?.replacing("token=", with: "") ?? ""
  }

  /// Sends a request as the user's web browser does.
  func get(_ path: String, _ headers: [String: String] = [:]) async throws -> Exchange {
    try await send("GET", path, ["Cookie": cookie].merging(headers) { $1 })
  }

  /// Sends a request with only the given headers and a host.
  func send(
    _ method: String, _ path: String, _ headers: [String: String] = [:]
  ) async throws -> Exchange {
    let headers = ["Host": "127.0.0.1:\(port)", "Connection": "close"].merging(headers) { $1 }
    let head = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
    return try await onThread { [port] in
      let connection = try Connection(port: port)
      connection.write("\(method) \(path) HTTP/1.1\r\n\(head)\r\n")
      return try Exchange(connection.readAll())
    }
  }
}

/// Runs a body that blocks its thread.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    // The threads of Dispatch run the tasks of the server.
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
  }
}

/// Calls the body with a running browser of a file.
@discardableResult
func serving<Result: Sendable>(
  _ path: String, _ body: (Served) async throws -> Result
) async throws -> Result {
  let browser = MagicBrowser(path: path)
  let served = Served(try await browser.start())
  do {
    let result = try await body(served)
    await browser.stop()
    return result
  } catch {
    await browser.stop()
    throw error
  }
}
