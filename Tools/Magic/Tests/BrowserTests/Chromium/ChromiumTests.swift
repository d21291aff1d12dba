import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

@Suite(
  .serialized,
  .enabled(if: WebDriver.isAvailable, "Chromium and chromedriver are not installed."))
struct ChromiumTests {
  private func visiting(
    width: Int = 1280, _ body: (WebDriver, Served, String) async throws -> Void
  ) async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served in
        try await WebDriver.visiting(served, width: width) { driver async throws in
          try await body(driver, served, path)
          // Errors of scripts, and what the content security policy refuses.
          let messages = try await driver.messages()
          #expect(messages.isEmpty, "\(messages)")
          for request in try await driver.requests() {
            #expect(request.hasPrefix("http://127.0.0.1:\(served.port)/"), "\(request)")
          }
        }
      }
    }
  }

  private static let heading = "return document.querySelector('h1').textContent"

  @Test func relationshipsAreFollowedInBothDirections() async throws {
    try await visiting { driver, served, _ async throws in
      #expect(try await driver.text("return location.search") == "")
      try await driver.click("xpath://main//a[text()='Person']")
      try await driver.click("xpath://main//a[text()='Mill']")
      #expect(try await driver.text(Self.heading) == "Mill")
      try await driver.click("xpath://main//a[text()='Ada']")
      #expect(try await driver.text(Self.heading) == "Ada")
      try await driver.click("xpath://main//dd//a[text()='Mill']")
      #expect(try await driver.text(Self.heading) == "Mill")
      let trail = "return document.querySelector('.trail').textContent"
      #expect(try await driver.text(trail) == "HomeMillAda")
      try await driver.click("xpath://nav[contains(@class,'trail')]//a[text()='Ada']")
      #expect(try await driver.text(Self.heading) == "Ada")
      try await driver.back()
      #expect(try await driver.text(Self.heading) == "Mill")
    }
  }

  @Test func filtersOrdersAndPagesAreInTheAddress() async throws {
    let count = "return document.querySelectorAll('tbody tr').length"
    let first = "return document.querySelector('tbody td:nth-child(4)').textContent"
    try await visiting { driver, served, _ async throws in
      try await driver.click("xpath://main//a[text()='Person']")
      try await driver.click("xpath://thead//a[text()='age']")
      #expect(
        try await driver.text("return document.querySelector('[aria-sort]').textContent") == "age")
      #expect(try await driver.text(first) == "0")
      try await driver.click("xpath://thead//a[text()='age']")
      #expect(try await driver.text(first) == "70")
      try await driver.click("a[rel=next]")
      #expect(try await driver.number("return Number(\(first.dropFirst(7)))") < 40)
      try await driver.click("a[rel=prev]")
      #expect(try await driver.text(first) == "70")

      try await driver.click("xpath://a[text()='Frequent values']")
      try await driver.click("xpath://*[@class='facets']//a[span[text()='tired']]")
      #expect(try await driver.number(count) == 39)
      try await driver.click("#filters summary")
      try await driver.type("> 40", into: "input[name='where.age']")
      try await driver.click("#filters button")
      try await driver.wait("The filter", "return location.search.includes('where.age=')")
      let search = try await driver.text("return decodeURIComponent(location.search)")
      #expect(search.contains("where.mood==tired") && search.contains("where.age="))
      #expect(!search.contains("where.name="))
      let filtered = try await driver.number(count)
      #expect(filtered > 0 && filtered < 39)
      // The address is the whole state: another visit shows the same.
      try await driver.open(try await driver.text("return location.href"))
      #expect(try await driver.number(count) == filtered)
      try await driver.click("xpath://*[@class='applied']//a[contains(., 'age')]")
      #expect(try await driver.number(count) == 39)
    }
  }

  @Test func commitOfAnotherProcessAppears() async throws {
    try await visiting { driver, served, path async throws in
      try await driver.open("http://127.0.0.1:\(served.port)/type/Person?where.name=Ada")
      try await driver.wait(
        "The connection", "return document.getElementById('live').className === 'live on'")
      try await driver.click("#filters summary")
      try await driver.type("typed", into: "input[name='where.note']")
      try await Self.run("UPDATE Person SET name = 'Ada Lovelace' WHERE id = 'ada'", path)
      try await driver.wait(
        "The update", "return document.querySelector('tbody').textContent.includes('Lovelace')")
      #expect(try await driver.number("return document.querySelectorAll('tr.changed').length") == 1)
      // What the user types is not lost.
      #expect(
        try await driver.text("return document.querySelector(\"input[name='where.note']\").value")
          == "typed")
      // The link has the object in the address of an earlier name.
      try await driver.click("tbody a")
      #expect(try await driver.text(Self.heading) == "Ada Lovelace")
      try await Self.run("UPDATE Person SET name = 'Ada King' WHERE id = 'ada'", path)
      try await driver.wait(
        "The second update", "return document.querySelector('h1').textContent === 'Ada King'")
    }
  }

  /// Runs SQL in another process.
  private static func run(_ sql: String, _ path: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
      path, sql,
    ]
    try process.run()
    try await onThread { process.waitUntilExit() }
    #expect(process.terminationStatus == 0)
  }

  @Test func keysSelectRowsAndOpenPages() async throws {
    try await visiting { driver, served, _ async throws in
      try await driver.open("http://127.0.0.1:\(served.port)/type/Person")
      try await driver.type("jjk", into: "body")
      #expect(
        try await driver.number("return document.querySelectorAll('tr.selected').length") == 1)
      try await driver.type("n", into: "body")
      try await driver.wait("The next page", "return location.search.startsWith('?after=')")
      try await driver.type("/", into: "body")
      #expect(try await driver.text("return document.activeElement.name").hasPrefix("where."))
      try await driver.type("s", into: "body")
      try await driver.type("?", into: "main")
      #expect(try await driver.run("return document.getElementById('help').open") as? Bool == true)
    }
  }

  @Test func sqlIsRunByControlAndEnter() async throws {
    try await visiting { driver, served, _ async throws in
      try await driver.open("http://127.0.0.1:\(served.port)/sql")
      try await driver.type(
        "SELECT count(*) AS people FROM Person\u{E009}\u{E007}\u{E000}", into: "#sql")
      try await driver.wait(
        "The result", "return document.querySelector('tbody td')?.textContent === '120'")
    }
  }

  @Test(arguments: [375, 1280]) func pagesFitTheirWindowAndHaveLandmarks(_ width: Int) async throws
  {
    try await visiting(width: width) { driver, served, _ async throws in
      for path in ["/", "/type/Person?facets=1", "/type/Person/1", "/schema", "/sql?sql=SELECT+1"] {
        try await driver.open("http://127.0.0.1:\(served.port)\(path)")
        #expect(
          try await driver.run("return document.documentElement.scrollWidth <= innerWidth") as? Bool
            == true,
          "\(path)")
        for landmark in ["main", "header", "nav[aria-label]", "h1", "html[lang]"] {
          #expect(
            try await driver.number("return document.querySelectorAll('\(landmark)').length") > 0,
            "\(path)")
        }
        let unnamed = """
          return [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, img, summary')]
            .filter(e => !(e.labels?.length || e.textContent.trim() || e.hasAttribute('alt') || e.hasAttribute('aria-label'))).length
          """
        #expect(try await driver.number(unnamed) == 0, "\(path)")
      }
    }
  }

  @Test func formsCreateEditAndDeleteObjects() async throws {
    try await editingTown { served, magic in
      try await WebDriver.visiting(served) { driver async throws in
        try await driver.click("xpath://main//a[text()='Person']")
        try await driver.click("xpath://main//a[text()='New']")
        try await driver.run("document.querySelector(\"[name='value.id']\").value = 'eve'")
        try await driver.type("Eve\nSmith", into: "[name='value.name']")
        // The box "null" is cleared by typing.
        try await driver.type("A note", into: "[name='value.note']")
        try await driver.click("xpath://button[text()='Create']")
        try await driver.wait(
          "The object", "return document.querySelector('h1')?.textContent.startsWith('Eve')")
        let eve = try await magic.object(of: Town.Person.self, primary: "eve")
        #expect(eve.name == "Eve\nSmith")
        #expect(eve.note == "A note")
        #expect(eve.home == nil)

        try await driver.click("xpath://main//a[text()='Edit']")
        try await driver.run("document.querySelector(\"[name='value.age']\").value = 'old'")
        try await driver.click("xpath://button[text()='Save']")
        try await driver.wait(
          "The problem",
          "return document.querySelector('.field.wrong .problem')?.textContent.includes('integer')")
        try await driver.run("document.querySelector(\"[name='value.age']\").value = '41'")
        try await driver.click("xpath://button[text()='Save']")
        try await driver.wait("The page", "return location.pathname.split('/').length === 4")
        let edited = try await magic.object(of: Town.Person.self, primary: "eve")
        #expect(edited.age == 41)
        // A form that a browser has sent back unchanged has no changes.
        #expect(edited.name == "Eve\nSmith")
        // A commit appears in the page.
        edited.age = 42
        try await magic.update(edited)
        try await driver.wait(
          "The commit", "return document.querySelector('main').textContent.includes('42')")

        try await driver.click("xpath://main//a[text()='Delete']")
        try await driver.click("xpath://button[text()='Delete']")
        try await driver.wait("The rows", "return location.pathname === '/type/Person'")
        #expect(try await magic.has(of: Town.Person.self, primary: "eve") == false)
        // Only the response to the invalid text is reported.
        let messages = try await driver.messages().filter { !$0.contains("422") }
        #expect(messages.isEmpty, "\(messages)")
      }
    }
  }

  @Test func tokenOfALocalFileIsAcceptedAndLeavesTheAddress() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served in
        try await withDirectory { directory in
          let file = directory.appendingPathComponent("open.html")
          let page =
            "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(served.address)\">"
          try Data(page.utf8).write(to: file)
          let driver = try await WebDriver(width: 1_280)
          do {
            try await driver.open(file.absoluteString)
            try await driver.wait("The page", "return document.title.startsWith('Types')")
            #expect(try await driver.text("return location.search") == "")
            try await driver.click("xpath://main//a[text()='Person']")
            #expect(try await driver.text(Self.heading) == "Person")
            await driver.quit()
          } catch {
            await driver.quit()
            throw error
          }
        }
      }
    }
  }

  @Test func soundsAreReadInParts() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("sounds.sqlite3").path
      let magic = try await MagicData(path: path)
      let person = Town.Person("Ada")
      person.picture = MagicAsset(value: Self.sound(seconds: 60), pathExtension: "wav")
      let row = try await magic.update(person).rawValue
      await magic.close()
      try await serving(path) { served in
        try await WebDriver.visiting(served) { driver async throws in
          try await driver.open("http://127.0.0.1:\(served.port)/type/Person/\(row)")
          let audio = "const audio = document.querySelector('audio'); "
          try await driver.wait(
            "The length", audio + "return Math.abs(audio.duration - 60) < 0.1")
          try await driver.run(audio + "audio.currentTime = 50")
          try await driver.wait(
            "The seek", audio + "return !audio.seeking && audio.currentTime >= 50")
        }
      }
    }
  }

  /// Silence in the format WAVE: 8,000 samples of 16 bits a second.
  private static func sound(seconds: Int) -> Data {
    func bytes(_ number: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }
    let length = seconds * 16_000
    return Data("RIFF".utf8) + bytes(length + 36, 4) + Data("WAVEfmt ".utf8) + bytes(16, 4)
      + bytes(1, 2) + bytes(1, 2) + bytes(8_000, 4) + bytes(16_000, 4) + bytes(2, 2)
      + bytes(16, 2) + Data("data".utf8) + bytes(length, 4) + Data(count: length)
  }

  @Test func hostileNamesAndValuesNeverRun() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("hostile.sqlite3").path
      try Hostile.create(path)
      try await serving(path) { served in
        try await WebDriver.visiting(served) { driver async throws in
          let table = "/type/Item"
          for page in [
            "/", table, table + "?facets=1", table + "/1", "/schema", "/sql?sql=SELECT+*+FROM+Item",
          ] {
            try await driver.open("http://127.0.0.1:\(served.port)\(page)")
            // An alert would make the next call fail.
            let elements =
              "return document.querySelectorAll('script, [onclick], [onerror], [onmouseover], b, i').length"
            #expect(try await driver.number(elements) == 1, "\(page)")
          }
          try await driver.open("http://127.0.0.1:\(served.port)/value/Item/1/name")
          // A value that looks like markup is a download, so the page stays.
          #expect(try await driver.text("return location.pathname") == "/sql")
          for request in try await driver.requests() {
            #expect(request.hasPrefix("http://127.0.0.1:\(served.port)/"), "\(request)")
          }
        }
      }
    }
  }
}
