import Foundation
import MagicBrowser
import MagicData
import Testing
import ToolTestSupport

/// What all pages have in common, in a real browser: they fit, can be read and be used with the keyboard,
/// and load nothing from elsewhere.
@Suite(
  .serialized,
  .enabled(if: WebDriver.isAvailable, "Chromium and chromedriver are not installed."))
struct ChromiumPageTests {
  /// Calls the body with a browser of a database that forms edit.
  private func editing(
    _ create: (String) async throws -> Void, types: [any MagicObject.Type] = [], width: Int = 1280,
    _ body: (WebDriver, String) async throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("file.sqlite3").path
      try await create(path)
      let magic = try await MagicData(path: path)
      let browser = MagicBrowser(magic, editing: types)
      let served = Served(try await browser.start())
      let site = "http://127.0.0.1:\(served.port)"
      do {
        try await WebDriver.visiting(served, width: width) { driver async throws in
          try await body(driver, site)
          let messages = try await driver.messages().filter { !$0.contains("status of 4") }
          #expect(messages.isEmpty, "\(messages)")
          for request in try await driver.requests() {
            #expect(request.hasPrefix(site + "/"), "\(request)")
          }
        }
        await browser.stop()
        await magic.close()
      } catch {
        await browser.stop()
        await magic.close()
        throw error
      }
    }
  }

  private static func library(_ path: String) async throws {
    let magic = try await MagicData(path: path)
    try await Library.fill(magic)
    await magic.close()
  }

  private static func town(_ path: String) async throws {
    let magic = try await MagicData(path: path)
    try await Town.fill(magic)
    await magic.close()
  }

  // MARK: Search

  @Test func wordsThatASearchHasFoundAreMarked() async throws {
    try await editing(Self.library) { driver, site async throws in
      try await driver.open(site + "/type/Essay")
      try await driver.type("disk\u{E007}", into: "input[name=q]")
      try await driver.wait("The search", "return location.search.includes('q=disk')")
      let marked =
        "return [...document.querySelectorAll('tbody mark')].map(m => m.textContent).join()"
      let words = try await driver.text(marked).lowercased().split(separator: ",")
      #expect(words.count >= 3)
      #expect(words.allSatisfy { $0.hasPrefix("disk") })
      // Markup in the texts that are found is text.
      #expect(
        try await driver.number("return document.querySelectorAll('main script, tbody b').length")
          == 0)
      let snippets = try await driver.text("return document.querySelector('tbody').textContent")
      #expect(snippets.contains("<b>disks</b>"))
    }
  }

  @Test func pagesOfASearchGoFromTheBestToTheWorstAndBack() async throws {
    let row = "return document.querySelector('tbody [data-row]').dataset.row"
    try await editing(Self.library) { driver, site async throws in
      try await driver.open(site + "/type/Essay?q=disk&limit=1")
      let first = try await driver.text(row)
      try await driver.click("a[rel=next]")
      let second = try await driver.text(row)
      try await driver.click("a[rel=next]")
      let third = try await driver.text(row)
      #expect(Set([first, second, third]).count == 3)
      #expect(
        try await driver.number("return document.querySelectorAll('a[rel=next]').length") == 0)
      try await driver.click("a[rel=prev]")
      #expect(try await driver.text(row) == second)
      try await driver.click("a[rel=prev]")
      #expect(try await driver.text(row) == first)
    }
  }

  // MARK: Hostile data

  @Test func formsOfHostileDataAreTexts() async throws {
    try await editing({ try Hostile.create($0) }) { driver, site async throws in
      for page in [
        "/type/Item/1/edit", "/type/Item/new", "/type/Item/1/delete", "/type/Item?q=script",
        "/type/Item?where.name=" + "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
        "/type/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/sql?sql=%3Cscript%3Ealert(1)%3C%2Fscript%3E",
      ] {
        try await driver.open(site + page)
        // An alert would make the next call fail.
        let elements = """
          return document.querySelectorAll('script, [onclick], [onerror], [onmouseover], b, i').length
          """
        #expect(try await driver.number(elements) == 1, "\(page)")
        #expect(
          try await driver.run("return document.documentElement.scrollWidth <= innerWidth") as? Bool
            == true, "\(page)")
      }
    }
  }

  // MARK: Layout and colours

  /// Pages of each kind.
  private static let pages = [
    "/", "/type/Person", "/type/Person?facets=1", "/type/Person?q=Person", "/type/Person?q=nothing",
    "/type/Person?where.age=%3E+40&sort=age&order=down", "/type/Person?where.age=old",
    "/type/Person/1",
    "/type/Person/1/edit", "/type/Person/1/delete", "/type/Person/new",
    "/type/Person/1/members/friends",
    "/type/Home", "/type/Home/1", "/schema", "/sql", "/sql?sql=SELECT+*+FROM+Person",
    "/sql?sql=SELECT+*+FROM", "/type/Nothing",
  ]

  @Test func pagesFitANarrowWindow() async throws {
    try await editing(Self.town, types: [Town.Person.self, Town.Home.self], width: 375) {
      driver, site async throws in
      for page in Self.pages {
        try await driver.open(site + page)
        let width = try await driver.number(
          "return document.documentElement.scrollWidth - innerWidth")
        #expect(width <= 0, "\(page)")
      }
    }
  }

  /// The contrast of each text with what is behind it, as WCAG 2.2 computes it.
  private static let faintTexts = """
    const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = (c) => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
    const colour = (text) => { const n = text.match(/[0-9.]+/g).map(Number); return [n[0], n[1], n[2], n[3] ?? 1]; };
    const over = (top, below, alpha) => [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha));
    const behind = (e) => {
      if (!e) return [255, 255, 255];
      const c = colour(getComputedStyle(e).backgroundColor);
      return c[3] === 1 ? c : over(c, behind(e.parentElement), c[3]);
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest('svg, .skip, option, datalist')) continue;
      const background = behind(e);
      let alpha = 1;
      for (let p = e; p; p = p.parentElement) alpha *= Number(getComputedStyle(p).opacity);
      const text = over(colour(getComputedStyle(e).color), background, alpha);
      const [a, b] = [light(text), light(background)].sort((x, y) => y - x);
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < 4.5) found.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)} ${walker.currentNode.data.trim().slice(0, 20)}`);
    }
    return [...found].join('; ');
    """

  @Test(arguments: [false, true]) func textsHaveEnoughContrast(_ isDark: Bool) async throws {
    try await editing(Self.town, types: [Town.Person.self, Town.Home.self]) {
      driver, site async throws in
      try await driver.prefer(dark: isDark)
      for page in Self.pages {
        try await driver.open(site + page)
        let faint = try await driver.text(Self.faintTexts)
        #expect(faint.isEmpty, "\(page): \(faint)")
      }
      let background = try await driver.text(
        "return getComputedStyle(document.body).backgroundColor")
      #expect((background == "rgb(255, 255, 255)") == !isDark)
    }
  }

  // MARK: Keyboard

  @Test func tabGoesThroughThePageInItsOrder() async throws {
    try await editing(Self.town, types: [Town.Person.self]) { driver, site async throws in
      for page in ["/", "/type/Person", "/type/Person/1", "/type/Person/1/edit", "/sql"] {
        try await driver.open(site + page)
        try await driver.press("\u{E004}")
        #expect(
          try await driver.text("return document.activeElement.className") == "skip", "\(page)")
        try await driver.run("window.passed = [document.activeElement]")
        for _ in 0..<25 {
          try await driver.press("\u{E004}")
          let step = """
            const e = document.activeElement, last = passed.at(-1);
            if (e === document.body || passed.includes(e)) return 'end';
            passed.push(e);
            const box = e.getBoundingClientRect(), style = getComputedStyle(e);
            if (!(last.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING)) return 'order ' + e.outerHTML;
            if (box.width === 0 || box.bottom < 20 || box.top > innerHeight - 10) return 'hidden ' + e.outerHTML;
            return style.outlineStyle === 'none' || style.outlineWidth === '0px' ? 'unmarked ' + e.outerHTML : '';
            """
          let problem = try await driver.text(step)
          if problem == "end" { break }
          #expect(problem.isEmpty, "\(page): \(problem)")
        }
        #expect(try await driver.number("return passed.length") > 5, "\(page)")
      }
      // The first stop moves the focus to the content.
      try await driver.open(site + "/type/Person")
      try await driver.press("\u{E004}")
      try await driver.press("\u{E007}")
      #expect(try await driver.text("return document.activeElement.id") == "main")
    }
  }
}
