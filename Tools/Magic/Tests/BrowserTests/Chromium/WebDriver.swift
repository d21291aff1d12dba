import Foundation
import MagicInspection
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A web browser without a window, driven by the protocol WebDriver: https://www.w3.org/TR/webdriver2/.
final class WebDriver: Sendable {
  private let driver: Process
  private let base: URL
  private let session: String

  /// Whether tests run in a real browser. With `MAGIC_CHROMIUM=required`, as in CI, its absence is
  /// a failure.
  static let isAvailable = isRequired || (find("chromedriver") != nil && browser != nil)
  private static let isRequired =
    ProcessInfo.processInfo.environment["MAGIC_CHROMIUM"] == "required"
  private static let browser = find("chromium") ?? find("google-chrome")

  private static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Starts a browser with the size of a window.
  init(width: Int = 1280, height: Int = 900) async throws {
    let path = try #require(Self.find("chromedriver"), "Install chromium-driver.")
    let browser = try #require(Self.browser, "Install chromium.")
    let port: Int
    (driver, port) = try await Self.started(path)
    base = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let options: [String: Any] = [
      "binary": browser,
      "args": [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=\(width),\(height)", "--no-proxy-server",
        // The only host that has an address is this computer.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ],
    ]
    let capabilities: [String: Any] = [
      "browserName": "chrome", "goog:chromeOptions": options,
      "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
    ]
    do {
      let answer = try await Self.send(
        "POST", base.appendingPathComponent("session"),
        ["capabilities": ["alwaysMatch": capabilities]])
      session = try #require((answer as? [String: Any])?["sessionId"] as? String)
    } catch {
      kill(driver.processIdentifier, SIGKILL)
      throw error
    }
  }

  /// Calls the body with a browser that has opened the address of a served database.
  static func visiting<Result: Sendable>(
    _ served: Served, width: Int = 1280, _ body: (WebDriver) async throws -> Result
  ) async throws -> Result {
    let driver = try await WebDriver(width: width)
    do {
      try await driver.open(served.address.absoluteString)
      let result = try await body(driver)
      await driver.quit()
      return result
    } catch {
      await driver.quit()
      throw error
    }
  }

  func quit() async {
    _ = try? await call("DELETE", "")
    // The driver inherits blocked signals from the thread that started it, so SIGTERM has no effect.
    kill(driver.processIdentifier, SIGKILL)
    driver.waitUntilExit()
  }

  // MARK: Pages

  func open(_ address: String) async throws { _ = try await call("POST", "/url", ["url": address]) }
  func back() async throws { _ = try await call("POST", "/back", [:]) }

  /// Runs a function body in the page.
  @discardableResult
  func run(_ script: String) async throws -> Any? {
    try await call("POST", "/execute/sync", ["script": script, "args": [Any]()])
  }

  func text(_ script: String) async throws -> String { try await run(script) as? String ?? "" }
  func number(_ script: String) async throws -> Int { try await run(script) as? Int ?? -1 }

  /// Clicks the first element that a CSS selector, or an XPath after `xpath:`, finds.
  func click(_ selector: String) async throws {
    _ = try await call("POST", "/element/\(try await element(selector))/click", [:])
  }

  /// Types a text into an element. The pressed keys reach the scripts of the page.
  func type(_ text: String, into selector: String) async throws {
    _ = try await call("POST", "/element/\(try await element(selector))/value", ["text": text])
  }

  /// Presses a key, wherever the focus is.
  func press(_ key: String) async throws {
    let actions = ["keyDown", "keyUp"].map { ["type": $0, "value": key] }
    _ = try await call(
      "POST", "/actions",
      ["actions": [["type": "key", "id": "keyboard", "actions": actions] as [String: Any]]])
  }

  /// Chooses the colours that the user prefers.
  func prefer(dark isDark: Bool) async throws {
    let feature = ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
    _ = try await call(
      "POST", "/goog/cdp/execute",
      ["cmd": "Emulation.setEmulatedMedia", "params": ["features": [feature]]])
  }

  private func element(_ selector: String) async throws -> String {
    let isPath = selector.hasPrefix("xpath:")
    let answer = try await call(
      "POST", "/element",
      [
        "using": isPath ? "xpath" : "css selector",
        "value": isPath ? String(selector.dropFirst(6)) : selector,
      ])
    return try #require((answer as? [String: String])?.values.first)
  }

  /// Waits until a script returns true.
  func wait(
    _ what: String, _ script: String, within limit: Duration = .seconds(15)
  ) async throws {
    let end = ContinuousClock.now.advanced(by: limit)
    while ContinuousClock.now < end {
      if try await run(script) as? Bool == true { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    let page = try await text("return location.href + ' ' + document.body.innerText")
    throw WebDriverError("\(what) did not happen. The page: \(page.prefix(600))")
  }

  /// The messages of the console, and the addresses of all requests, since the last call.
  func messages() async throws -> [String] {
    try await log("browser").compactMap { $0["message"] as? String }
  }

  func requests() async throws -> [String] {
    try await log("performance").compactMap { entry in
      guard let text = entry["message"] as? String,
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
        let message = object["message"] as? [String: Any],
        message["method"] as? String == "Network.requestWillBeSent",
        let parameters = message["params"] as? [String: Any],
        let request = parameters["request"] as? [String: Any]
      else { return nil }
      return request["url"] as? String
    }
  }

  private func log(_ type: String) async throws -> [[String: Any]] {
    try await call("POST", "/se/log", ["type": type]) as? [[String: Any]] ?? []
  }

  // MARK: Protocol

  private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws
    -> Any?
  {
    let url = try #require(URL(string: base.absoluteString + "/session/" + session + path))
    return try await Self.send(method, url, body)
  }

  /// Sends a request without URLSession, which on Linux rejects the headers of the driver.
  private static func send(_ method: String, _ url: URL, _ body: [String: Any]?) async throws
    -> Any?
  {
    let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
    let port = UInt16(url.port ?? 0)
    let head = """
      \(method) \(url.path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r
      Content-Type: application/json\r\nContent-Length: \(data.count)\r\n\r\n
      """
    let answer = try await onThread {
      let connection = try Connection(port: port)
      connection.write(head + String(decoding: data, as: UTF8.self))
      return try connection.readMessage()
    }
    let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
    guard answer.status == 200 else {
      let error = object?["value"] as? [String: Any]
      throw WebDriverError(error?["message"] as? String ?? "The driver does not answer.")
    }
    return object?["value"]
  }

  /// Starts the driver. Its free port may be in use before it is bound, so it is started again.
  private static func started(_ path: String, attempts: Int = 5) async throws -> (Process, Int) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    // The driver chooses a free port and prints it.
    process.arguments = ["--port=0"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    do {
      return (process, try await onThread { try Self.port(pipe.fileHandleForReading) })
    } catch {
      kill(process.processIdentifier, SIGKILL)
      guard attempts > 1 else { throw error }
      return try await started(path, attempts: attempts - 1)
    }
  }

  private static func port(_ output: FileHandle) throws -> Int {
    var text = ""
    // The other calls of FileHandle wait for more bytes than the driver prints.
    while case let data = output.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: #/on port ([0-9]+)\./#), let port = Int(match.output.1) {
        return port
      }
    }
    throw WebDriverError("The driver does not start.")
  }
}

struct WebDriverError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
