import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

@Suite struct SecurityTests {
  /// Calls the body with a served file of one row whose names and values are hostile.
  private func servingHostile<Result: Sendable>(
    _ body: (Served) async throws -> Result
  ) async throws -> Result {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("<script>alert(1)<|script>.sqlite3").path
      try Hostile.create(path)
      return try await serving(path, body)
    }
  }

  private func servingTown<Result: Sendable>(
    _ body: (Served) async throws -> Result
  ) async throws -> Result {
    try await Town.withDatabase { try await serving($0, body) }
  }

  @Test func onlyTheLoopbackAddressIsBound() async throws {
    try await servingTown { served async throws in
      #expect(served.address.host == "127.0.0.1")
      #if os(Linux)
        // Another address of this computer, which a server on all addresses accepts.
        await #expect(throws: ExchangeError.noConnection) {
          try await onThread { _ = try Connection(port: served.port, host: "127.0.0.2") }
        }
      #endif
    }
  }

  @Test func requestsNeedTheToken() async throws {
    try await servingTown { served async throws in
      for path in ["/", "/style.css", "/types.json", "/events", "/sql?sql=SELECT+1", "/nothing"] {
        let page = try await served.send("GET", path)
        #expect(page.status == 403, "\(path)")
        #expect(page["Set-Cookie"] == nil)
        #expect(!page.text.contains("Person"))
      }
      let wrong = String(served.token.reversed())
      #expect(try await served.send("GET", "/?token=\(wrong)").status == 403)
      #expect(try await served.send("GET", "/?token=").status == 403)
      #expect(try await served.get("/", ["Cookie": "magic-\(served.port)=\(wrong)"]).status == 403)
      #expect(try await served.get("/", ["Cookie": "magic-1=\(served.token)"]).status == 403)
      #expect(try await served.get("/", ["Cookie": "a=b; \(served.cookie)"]).status == 200)
    }
  }

  @Test func tokenBecomesACookieThatScriptsAndOtherSitesDoNotHave() async throws {
    try await servingTown { served async throws in
      #expect(served.token.utf8.count == 64)
      let page = try await served.send("GET", "/type/Person?sort=age&token=\(served.token)")
      #expect(page.status == 303)
      #expect(page["Location"] == "/type/Person?sort=age")
      #expect(page["Set-Cookie"] == "\(served.cookie); Path=/; HttpOnly; SameSite=Strict")
      try await servingTown { other async throws in #expect(other.token != served.token) }
    }
  }

  @Test func hostAndOriginAreChecked() async throws {
    try await servingTown { served async throws in
      for host in ["example.com", "example.com:\(served.port)", "127.0.0.1", "localhost:1", ""] {
        #expect(try await served.get("/", ["Host": host]).status == 421, "\(host)")
        #expect(
          try await served.send("GET", "/?token=\(served.token)", ["Host": host]).status == 421)
      }
      #expect(try await served.get("/", ["Host": "localhost:\(served.port)"]).status == 200)
      for origin in ["http://example.com", "null", "https://127.0.0.1:\(served.port)"] {
        #expect(try await served.get("/", ["Origin": origin]).status == 403, "\(origin)")
      }
      let own = "http://127.0.0.1:\(served.port)"
      #expect(try await served.get("/", ["Origin": own]).status == 200)
      for site in ["cross-site", "same-site", "new"] {
        #expect(try await served.get("/", ["Sec-Fetch-Site": site]).status == 403, "\(site)")
      }
      #expect(try await served.get("/", ["Sec-Fetch-Site": "none"]).status == 200)
      #expect(try await served.get("/", ["Sec-Fetch-Site": "same-origin"]).status == 200)
    }
  }

  @Test func onlyReadingMethodsAreAnswered() async throws {
    try await servingTown { served async throws in
      for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
        let page = try await served.send(method, "/", ["Cookie": served.cookie])
        #expect(page.status == 405, "\(method)")
      }
      let head = try await served.send("HEAD", "/types.csv", ["Cookie": served.cookie])
      let get = try await served.get("/types.csv")
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(head["Content-Length"] == String(get.body.count))
    }
  }

  @Test func longAndInvalidAddressesAreRefused() async throws {
    try await servingTown { served async throws in
      let long = String(repeating: "x", count: 9_000)
      #expect(try await served.get("/sql?sql=\(long)").status == 414)
      #expect(try await served.get("/type/%FF").status == 400)
      #expect(try await served.get("/type/%0").status == 400)
      for path in ["/../../etc/passwd", "/value/Person/1/..%2F..%2Fx", "/%2e%2e/%2e%2e", "//x"] {
        #expect(try await served.get(path).status == 404, "\(path)")
      }
      #expect(try await served.get("/").status == 200)
    }
  }

  @Test func pagesLoadOnlyFromTheServerAndRunNoInlineScripts() async throws {
    try await servingHostile { served async throws in
      for path in ["/", "/type/Item", "/type/Item/1", "/schema", "/sql", "/nothing"] {
        let page = try await served.get(path)
        let policy = try #require(page["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
        #expect(!policy.contains("unsafe"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(page["X-Content-Type-Options"] == "nosniff")
        #expect(page["Referrer-Policy"] == "same-origin")
        #expect(page["Cache-Control"] == "no-store")
        for link in links(page.text) { #expect(link.hasPrefix("/") || link == "#main", "\(link)") }
      }
    }
  }

  @Test func namesAndValuesOfTheFileAreNeverMarkup() async throws {
    try await servingHostile { served async throws in
      var pages = ["/", "/type/Item", "/type/Item?facets=1", "/type/Item/1", "/schema"]
      pages.append("/type/Item?where.name=%3Cscript%3Ealert(1)%3C/script%3E&sort=%3Cb%3E")
      pages.append("/sql?sql=SELECT+*+FROM+Item+--%3C/textarea%3E%3Cscript%3Ealert(2)%3C/script%3E")
      pages.append("/type/Item/1?via=%3Cscript%3E/1&via=Item/1")
      pages.append("/%3Cscript%3Ealert(1)%3C/script%3E")
      for path in pages {
        let text = try await served.get(path).text
        let scripts = text.matches(of: #/<script[^>]*>/#).map { String($0.output) }
        let isProblem = path.contains("%3Cscript%3Ealert(1)") && path.hasPrefix("/%3C")
        #expect(
          scripts == ["<script src=\"/script.js\" defer>"], "\(path) \(isProblem)")
        #expect(!text.contains("<b>"), "\(path)")
        #expect(!text.contains(" onerror=") || text.contains("&lt;img"), "\(path)")
        #expect(!text.contains("\0"), "\(path)")
        #expect(!text.unicodeScalars.contains("\u{202E}"), "\(path)")
        #expect(!text.contains("javascript:") || !text.contains("href=\"javascript:"), "\(path)")
        #expect(text.utf8.count < 400_000, "\(path)")
      }
      let object = try await served.get("/type/Item/1").text
      #expect(object.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
      #expect(object.contains("All 1 MB"))
      let whole = try await served.get("/value/Item/1/large")
      #expect(whole.body.count == 1_000_000)
      #expect(whole["Content-Type"] == "text/plain; charset=utf-8")
    }
  }

  @Test func svgAndHTMLAreOnlyDownloads() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("assets.sqlite3").path
      let magic = try await MagicData(path: path)
      let script = "<script>alert(1)</script>"
      let contents: [(String, Data, String)] = [
        ("png", Town.pixel, "png"), ("svg", Data("<svg onload='alert(1)'>".utf8), "svg"),
        ("html", Data("\u{FEFF} \n<html>\(script)".utf8), "png"),
        ("text", Data("A text about <script>.".utf8), "html"), ("bytes", Data([0, 1, 2]), "bin"),
      ]
      for (name, data, suffix) in contents {
        let person = Town.Person(name)
        person.picture = MagicAsset(value: data, pathExtension: suffix)
        try await magic.update(person)
      }
      await magic.close()
      try await serving(path) { served async throws in
        func value(_ name: String) async throws -> Exchange {
          let id = try #require(
            rowIDs(try await served.get("/type/Person?where.name=%3D\(name)").text).first)
          let object = try await served.get("/type/Person/\(id)").text
          #expect(object.contains("<img") == (name == "png"), "\(name)")
          return try await served.get("/value/Person/\(id)/picture")
        }
        let picture = try await value("png")
        #expect(picture["Content-Type"] == "image/png")
        #expect(picture.body == Town.pixel)
        for name in ["svg", "html", "bytes"] {
          let download = try await value(name)
          #expect(download["Content-Type"] == "application/octet-stream", "\(name)")
          #expect(download["Content-Disposition"]?.hasPrefix("attachment") == true, "\(name)")
        }
        let text = try await value("text")
        #expect(text["Content-Type"] == "text/plain; charset=utf-8")
        #expect(
          text["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'")
        #expect(text["X-Content-Type-Options"] == "nosniff")
      }
    }
  }

  @Test func twoStartsAtOnceAreOneServer() async throws {
    try await Town.withDatabase { path in
      let browser = MagicBrowser(path: path)
      async let first = browser.start()
      async let second = browser.start()
      let (one, other) = (try await first, try await second)
      #expect(one == other)
      #expect(try await browser.start() == one)
      await browser.stop()
    }
  }

  @Test func slowStatementsDoNotDelayOtherPages() async throws {
    let endless =
      "WITH+RECURSIVE+n(i)+AS+(SELECT+1+UNION+ALL+SELECT+i%2B1+FROM+n)"
      + "+SELECT+count(*)+FROM+n"
    try await servingTown { served async throws in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask {
            _ = try await served.get("/sql?sql=\(endless)")
            return false
          }
        }
        group.addTask {
          try await Task.sleep(for: .milliseconds(200))
          #expect(try await served.get("/types.csv").status == 200)
          return true
        }
        // Each statement may take a second, one after the other. The page does not wait for them.
        var statements = 0
        for try await isPage in group {
          if isPage { #expect(statements < 3) } else { statements += 1 }
        }
      }
    }
  }

  @Test func servedFileIsNotChanged() async throws {
    try await Town.withDatabase { path in
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      try await serving(path) { served async throws in
        for address in [
          "/", "/type/Person?facets=1", "/type/Person/1", "/schema", "/sql?sql=SELECT+1",
        ] {
          #expect(try await served.get(address).status == 200)
        }
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }
}
