import Foundation
import MagicBrowser
import MagicData
import MagicInspection
import MagicSQLite
import Testing
import ToolTestSupport

@Suite struct PageTests {
  @Test func firstPageListsTypesWithCounts() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/")
        #expect(page.status == 200)
        #expect(page["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<a href=\"/type/Person\">Person</a>"))
        #expect(page.text.contains("<td class=\"number\">120</td>"))
        let json = try await served.get("/types.json")
        #expect(json["Content-Type"] == "application/json; charset=utf-8")
        #expect(try rows(json).map { $0["objects"] as? Int } == [1, 120])
        let csv = try await served.get("/types.csv")
        #expect(csv.text.hasPrefix("type,table,objects,isExact\nHome,Home,1,true\n"))
      }
    }
  }

  @Test func rowsAreSortedAndPagedByKeyInBothDirections() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        var next: String? = "/type/Person.json?sort=age&order=down&limit=50"
        var ages: [Int] = []
        var names: Set<String> = []
        while let address = next {
          let page = try await served.get(address)
          for row in try rows(page) {
            ages.append(try #require(row["age"] as? Int))
            names.insert(try #require(row["name"] as? String))
          }
          next = try object(page)["next"] as? String
        }
        #expect(ages == ages.sorted(by: >))
        #expect(names.count == 120)

        let first = try await served.get("/type/Person?sort=age").text
        let second = try await served.get(try #require(link(rel: "next", in: first))).text
        #expect(second != first)
        let back = try await served.get(try #require(link(rel: "prev", in: second))).text
        #expect(rowIDs(back) == rowIDs(first))
      }
    }
  }

  @Test(arguments: [
    ("where.name=Ada", 1), ("where.name=%3DPerson+1", 1), ("where.name=!Ada", 119),
    ("where.age=>49", 1), ("where.age=10..11", 6), ("where.age==36", 3), ("where.mood==tired", 39),
    ("where.isActive==true", 39), ("where.home=!null", 2), ("where.home=null", 118),
    ("where.born=2001-01-03", 1), ("where.born=2001-01-03..2001-01-04", 2),
    ("where.age=>10&where.isActive==false&where.mood==calm", 2), ("where.note=%25", 0),
  ])
  func filtersSelectRows(_ filter: String, _ count: Int) async throws {
    try await Town.withDatabase { path in
      let page = try await MagicBrowser(path: path).page("/type/Person.json?limit=1000&\(filter)")
      let found = try #require(try JSONSerialization.jsonObject(with: page) as? [String: Any])
      #expect((found["rows"] as? [Any])?.count == count)
    }
  }

  @Test(arguments: [
    ("q=ada", 1), ("q=PROGRAM+first", 1), ("q=program+nothing", 0), ("q=engines", 1),
    ("q=person+1", 118), ("q=%25", 0), ("q=_", 0), ("q=%5C", 0), ("q='", 0), ("q=+++", 120),
    ("q=person&where.mood==tired", 39), ("q=person&sort=name&order=down", 118), ("q=tired", 39),
  ])
  func searchFindsWordsInAnyText(_ query: String, _ count: Int) async throws {
    try await Town.withDatabase { path in
      let browser = MagicBrowser(path: path)
      let page = try await browser.page("/type/Person.json?limit=1000&\(query)")
      let found = try #require(try JSONSerialization.jsonObject(with: page) as? [String: Any])
      // "person 1" is in all but Ada and Bob: the second word is in the identifier too.
      let rows = (found["rows"] as? [[String: Any]])?.count ?? -1
      if query == "q=person+1" { #expect(rows > 20 && rows < 118) } else { #expect(rows == count) }
    }
  }

  @Test func searchEndsAfterItsTimeWithWhatItHasFound() throws {
    try withDirectory { directory in
      let path = directory.appendingPathComponent("large.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        library("name TEXT", properties: [("name", "text")])
          + """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO Item SELECT i, 'needle ' || hex(zeroblob(4000)) FROM n WHERE i = 1
          UNION ALL SELECT i, hex(zeroblob(4000)) FROM n WHERE i > 1;
          """)
      connection.close()
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try #require(try reader.database().types.first)
      var request = RowRequest(search: RowSearch("needle", in: type))
      request.searchTime = .milliseconds(30)
      let page = try reader.page(of: type, request)
      #expect(page.rows.map(\.rowID) == [1])
      #expect(page.isInterrupted)
      request.searchTime = .seconds(60)
      #expect(try reader.page(of: type, request).isInterrupted == false)
    }
  }

  @Test func invalidFilterIsReportedAndIgnored() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/type/Person?where.age=old&where.nothing=1&sort=nothing")
        #expect(page.status == 200)
        #expect(page.text.contains("age is compared with an integer."))
        #expect(page.text.contains("no property with the name of a filter"))
        #expect(page.text.contains("no property to sort by"))
        #expect(page.text.contains("120 objects"))
      }
    }
  }

  @Test func frequentValuesAreLinksThatFilter() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/type/Person?facets=1").text
        #expect(page.contains("<h3>mood</h3>"))
        #expect(page.contains("href=\"/type/Person?facets=1&amp;where.mood=%3Dtired\""))
        let filtered = try await served.get("/type/Person?facets=1&where.mood=%3Dtired").text
        #expect(filtered.contains("39 objects, filtered"))
        #expect(filtered.contains("<strong>=tired</strong>"))
        #expect(filtered.contains("aria-current=\"true\""))
      }
    }
  }

  @Test func valuesAreShownByTheirForms() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/type/Person?where.name=Ada").text
        #expect(page.contains("<time datetime=\"2001-01-01T00:00:00Z\""))
        #expect(page.contains("<span class=\"bool false\">false</span>"))
        #expect(page.contains("<span class=\"case\">calm</span>"))
        #expect(page.contains("<code>[&quot;mathematics&quot;,&quot;engines&quot;]</code>"))
        #expect(page.contains(">Mill</a>"))
        #expect(page.contains("<img src=\"/value/Person/"))
        #expect(page.contains("<select id=\"filter-"))
      }
    }
  }

  @Test func objectShowsToOnesCollectionsAndReferrers() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let list = try await served.get("/type/Person?where.name=Ada").text
        let ada = try #require(rowIDs(list).first)
        let page = try await served.get("/type/Person/\(ada)").text
        #expect(page.contains("<h1 dir=\"auto\">Ada</h1>"))
        #expect(
          page.contains("/type/Person/\(ada)/members/friends?via=Person%2F\(ada)\">friends</a>"))
        #expect(page.contains("<span class=\"count\">2</span>"))
        #expect(page.contains("<dd>mathematics</dd>") || page.contains(">mathematics</span>"))
        let home = try #require(rowID(of: "Mill", table: "Home", in: page))

        let mill = try await served.get("/type/Home/\(home)?via=Person/\(ada)").text
        #expect(mill.contains("aria-label=\"Where you came from\""))
        #expect(mill.contains("<a href=\"/type/Person/\(ada)\" dir=\"auto\">Ada</a>"))
        #expect(mill.contains("Person.home</a>"))

        let json = try object(try await served.get("/type/Person/\(ada).json"))
        #expect((json["members"] as? [String: Int]) == ["friends": 2])
        #expect(
          (json["toOnes"] as? [String: [String: Any]])?["home"]?["label"] as? String == "Mill")
        let csv = try await served.get("/type/Person/\(ada).csv").text
        #expect(csv.hasPrefix("row,id,name,age"))
        let members = try await served.get("/type/Person/\(ada)/members/friends.json")
        #expect(try rows(members).count == 2)
        let referrers = try await served.get("/type/Home/\(home)/references/Person/home.json")
        #expect(try rows(referrers).compactMap { $0["label"] as? String } == ["Ada", "Bob"])
      }
    }
  }

  @Test func diagramIsADrawingWithLinks() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/schema").text
        #expect(page.contains("<svg xmlns"))
        #expect(page.contains("<a href=\"/type/Person\"><rect"))
        #expect(!page.contains("<style"))
        let properties = try rows(try await served.get("/schema.json"))
        #expect(properties.contains { $0["property"] as? String == "friends" })
      }
    }
  }

  @Test func sqlShowsRowsPlanAndErrors() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        func run(_ sql: String, _ suffix: String = "") async throws -> Exchange {
          let text = sql.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
          return try await served.get("/sql\(suffix)?sql=\(text)")
        }
        let page = try await run("SELECT name, age FROM Person WHERE age = 70").text
        #expect(page.contains("1 row"))
        #expect(page.contains("SEARCH Person"))
        let scan = try await run("SELECT count(*) FROM Person WHERE name = 'x'").text
        #expect(scan.contains("reads the whole table"))
        #expect(try rows(try await run("SELECT 7 AS seven", ".json")).first?["seven"] as? Int == 7)
        #expect(try await run("SELECT 7 AS seven", ".csv").text == "seven\n7\n")
        for sql in ["DELETE FROM Person", "PRAGMA user_version = 7", "ATTACH 'x' AS y", "SELECT"] {
          #expect(try await run(sql).text.contains("role=\"alert\""), "\(sql)")
          #expect(try await run(sql, ".json").status == 400, "\(sql)")
        }
        let many = """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n
          """
        #expect(try await run(many).text.contains("The first 1,000 rows"))
        let endless =
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n"
        let start = ContinuousClock.now
        #expect(try await run(endless).text.contains("The time limit is exceeded."))
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await run("SELECT count(*) AS n FROM Person", ".csv").text == "n\n120\n")
      }
    }
  }

  @Test func missingPagesAreNotFound() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        for address in [
          "/nothing", "/type/Nothing", "/type/Person/999999", "/type/Person/x",
          "/type/Person/1/members/nothing", "/type/Person/1/references/Home/people",
          "/value/Person/1/nothing", "/value/Person/1/age", "/types/more",
        ] {
          let page = try await served.get(address)
          #expect(page.status == 404, "\(address)")
          #expect(page.text.contains("role=\"alert\""), "\(address)")
        }
      }
    }
  }

  @Test func errorsHaveTheNotationOfTheAddress() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        let json = try await served.get("/type/Nothing.json")
        #expect(json.status == 404)
        #expect(json["Content-Type"] == "application/json; charset=utf-8")
        let problem = try object(json)
        #expect(problem["kind"] as? String == "notFound")
        #expect(problem["error"] as? String == "The database has no type with this table.")
        let csv = try await served.get("/sql.csv?sql=DELETE%20FROM%20Person")
        #expect(csv.status == 400)
        #expect(csv["Content-Type"] == "text/plain; charset=utf-8")
        #expect(
          csv.text == "The statement is not a SELECT. The database is open for reading only.\n")
      }
    }
  }

  @Test(arguments: Fixture.allCases) func everyLinkOfEveryPageWorks(_ fixture: Fixture) async throws
  {
    try await withDirectory { directory in
      let path = try fixture.copy(to: directory)
      try await serving(path) { served async throws in
        var queue = ["/"]
        var seen: Set<String> = ["/"]
        while let address = queue.popLast(), seen.count < 400 {
          let page: Exchange
          do {
            page = try await served.get(address)
          } catch {
            Issue.record("\(address): \(error)")
            return
          }
          #expect(page.status == 200, "\(address)")
          guard page["Content-Type"]?.hasPrefix("text/html") == true else { continue }
          for link in links(page.text) where link.hasPrefix("/") && !link.contains("via=") {
            if seen.insert(link).inserted { queue.append(link) }
          }
        }
        #expect(seen.count > 100)
      }
    }
  }

  @Test func pageWithoutAServerIsTheSame() async throws {
    try await Town.withDatabase { path in
      let page = try await MagicBrowser(path: path).page("/types.csv")
      #expect(String(decoding: page, as: UTF8.self).contains("Person,Person,120,true"))
      await #expect(throws: (any Error).self) { try await MagicBrowser(path: path).page("types") }
      await #expect(throws: (any Error).self) {
        try await MagicBrowser(path: path).page("/nothing")
      }
      await #expect(throws: (any Error).self) { try await MagicBrowser(path: path + "x").page("/") }
    }
  }

  @Test func openDatabaseOfAnAppIsServed() async throws {
    try await withDirectory { directory in
      let magic = try await MagicData(path: directory.appendingPathComponent("app.sqlite3").path)
      try await Town.fill(magic)
      let browser = MagicBrowser(magic)
      let address = try await browser.start()
      #expect(try await browser.start() == address)
      let served = Served(address)
      #expect(try await served.get("/types.csv").text.contains("Person,Person,120,true"))
      try await magic.update(Town.Person("Eve"))
      #expect(try await served.get("/types.csv").text.contains("Person,Person,121,true"))
      await browser.stop()
      await #expect(throws: (any Error).self) { try await served.get("/") }
      // The database of the app is not affected.
      #expect(try await magic.query(Town.Person.self).count() == 121)
      await magic.close()
    }
    let memory = try await MagicData(type: .memory)
    await #expect(throws: (any Error).self) { try await MagicBrowser(memory).start() }
    await memory.close()
  }

  @Test func usedPortIsRefused() async throws {
    try await Town.withDatabase { path in
      try await serving(path) { served async throws in
        await #expect(throws: (any Error).self) {
          try await MagicBrowser(path: path, port: served.port).start()
        }
      }
    }
  }
}

// MARK: Reading pages

func object(_ page: Exchange) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: page.body) as? [String: Any])
}

func rows(_ page: Exchange) throws -> [[String: Any]] {
  try #require(try object(page)["rows"] as? [[String: Any]])
}

/// The addresses in a page.
func links(_ text: String) -> [String] {
  text.matches(of: #/(?:href|src)="([^"]*)"/#).map { match in
    String(match.output.1).replacing("&amp;", with: "&")
  }
}

/// The row IDs of a table, in its order.
func rowIDs(_ text: String) -> [String] {
  text.matches(of: #/<tr data-row="([0-9]+)"/#).map { match in String(match.output.1) }
}

func link(rel: String, in text: String) -> String? {
  guard let end = text.range(of: "\" rel=\"\(rel)\"")?.lowerBound,
    let start = text[..<end].range(of: "href=\"", options: .backwards)?.upperBound
  else { return nil }
  return String(text[start..<end]).replacing("&amp;", with: "&")
}
