import Foundation
import MagicBrowser
import MagicData
import MagicInspection
import MagicSQLite
import Testing
import ToolTestSupport

/// Pages search by the search index of a type.
@Suite struct SearchTests {
  private static func rows(_ path: String, _ address: String) async throws -> [[String: Any]] {
    let page = try await MagicBrowser(path: path).page(address)
    let found = try JSONSerialization.jsonObject(with: page) as? [String: Any]
    return try #require(found?["rows"] as? [[String: Any]])
  }

  private static func identifiers(_ path: String, _ query: String) async throws -> [Int] {
    try await rows(path, "/type/Essay.json?\(query)").compactMap { $0["id"] as? Int }
  }

  @Test(arguments: [
    ("q=resume", [1]), ("q=search", [1, 4]), ("q=sync", [1]), ("q=ros", [3]), ("q=ros+", []),
    ("q=disk+search", [1]), ("q=alert", [3]), ("q=%22", []), ("q=sync%22%CC%81+", [1]),
    ("q=OR+%28", []), ("q=c0:disk", []),
    ("q=disk&where.section=b", [3]), ("q=disk&sort=title", [2, 3, 1]),
    ("q=disk&sort=title&order=down", [1, 3, 2]),
  ])
  func searchFindsWordsAsTheTypeDeclares(_ query: String, _ expected: [Int]) async throws {
    try await Library.withDatabase { path in
      let found = try await Self.identifiers(path, query)
      #expect(query.contains("sort=") ? found == expected : Set(found) == Set(expected))
      #expect(found.count == expected.count)
    }
  }

  @Test func bestMatchesAreFirst() async throws {
    try await Library.withDatabase { path in
      let rows = try await Self.rows(path, "/type/Essay.json?q=disk")
      let scores = rows.compactMap { $0["search score"] as? Double }
      #expect(rows.first?["id"] as? Int == 2)
      #expect(scores.count == 3)
      #expect(scores == scores.sorted(by: >))
      // A search in a given order has no scores.
      let sorted = try await Self.rows(path, "/type/Essay.json?q=disk&sort=id")
      #expect(sorted.allSatisfy { $0["search score"] is NSNull })
      let csv = String(
        decoding: try await MagicBrowser(path: path).page("/type/Essay.csv?q=sync"), as: UTF8.self)
      #expect(csv.hasPrefix("row,id,title,body,tags,section,search score,search snippet"))
      #expect(csv.contains("for the word sync."))
    }
  }

  @Test func pagesOfRankedRowsHaveEveryRowOnce() async throws {
    try await Library.withDatabase { path in
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try reader.database().type(named: "Essay")
      var request = RowRequest(search: RowSearch("disk", in: type))
      let all = try reader.page(of: type, request).rows.map(\.rowID)
      #expect(all.count == 3)
      request.limit = 1
      var pages: [RowPage] = []
      repeat {
        let page = try reader.page(of: type, request)
        pages.append(page)
        request.position = page.next
      } while request.position != nil
      #expect(pages.flatMap(\.rows).map(\.rowID) == all)
      request.position = pages.last?.previous
      #expect(try reader.page(of: type, request).rows.map(\.rowID) == [all[1]])
      #expect(try reader.count(of: type, search: request.search) == .exact(3))
      let facets = try reader.facets(
        of: try #require(type.column(named: "section")), in: type, search: request.search)
      #expect(facets.facets.map(\.count) == [2, 1])
    }
  }

  @Test func linksOfRankedPagesHaveTheirRows() async throws {
    try await Library.withDatabase { path in
      try await serving(path) { served async throws in
        let all = try await Self.identifiers(path, "q=disk")
        #expect(all.count == 3)
        var next: String? = "/type/Essay.json?q=disk&limit=1"
        var found: [Int] = []
        while let address = next {
          let page = try object(try await served.get(address))
          found += (page["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
          next = page["next"] as? String
        }
        #expect(found == all)
        let first = try await served.get("/type/Essay?q=disk&limit=1").text
        #expect(first.contains("best matches first"))
        let second = try await served.get(try #require(link(rel: "next", in: first))).text
        #expect(rowIDs(second).count == 1)
        #expect(rowIDs(second) != rowIDs(first))
        let back = try await served.get(try #require(link(rel: "prev", in: second))).text
        #expect(rowIDs(back) == rowIDs(first))
        let worst = try await served.get("/type/Essay?q=disk&order=down").text
        #expect(rowIDs(worst).count == 3)
        #expect(!worst.contains("best matches first"))
      }
    }
  }

  @Test func snippetOfALongTextIsAroundTheFirstWord() async throws {
    try await Library.withDatabase { path in
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        """
        UPDATE Essay SET title = replace(hex(zeroblob(32768)), '0', 'a ') WHERE id = 1;
        UPDATE Essay SET title = replace(hex(zeroblob(500)), '0', 'b ') || 'a '
          || replace(hex(zeroblob(500)), '0', 'b ') WHERE id = 2;
        UPDATE Essay SET title = replace(hex(zeroblob(500)), '0', 'a') WHERE id = 3;
        """)
      connection.close()
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try reader.database().type(named: "Essay")
      func title(_ word: String, _ id: Int64) throws -> SearchSnippet? {
        let search = try #require(RowSearch(word, in: type))
        let found = try reader.query("SELECT z_index FROM Essay WHERE id = \(id)").rows[0][0]
          .integer
        let rowID = try #require(found)
        return try reader.snippets(of: search, in: type, [rowID])[rowID]?["title"]
      }
      let words = try #require(try title("a ", 1))
      #expect(words.parts.filter(\.isFound).count == 50)
      #expect(words.text == String(repeating: "a ", count: 50) + "…")
      let middle = try #require(try title("a ", 2))
      #expect(middle.parts.map(\.isFound) == [false, true, false, false])
      #expect(middle.parts[1].text == "a")
      #expect(middle.text.hasPrefix("…b b ") && middle.text.hasSuffix(" b …"))
      #expect(middle.text.unicodeScalars.count < 270)
      // The end of the word is not shown.
      let long = try #require(try title("aa", 3))
      #expect(long.parts.map(\.isFound) == [true, false])
      #expect(long.text.hasSuffix("aa…"))
    }
  }

  @Test func searchThatFindsNothingInItsTimeSaysSo() async throws {
    try await withDirectory { directory in
      let path = directory.appendingPathComponent("slow.sqlite3").path
      let connection = try SQLiteConnection(path: path)
      // Each text is compared with the word at each of its places, and the index has none of them.
      let names = (0..<8).map { "t\($0)" }
      try connection.execute(
        library(
          names.map { $0 + " TEXT" }.joined(separator: ", "), properties: names.map { ($0, "text") }
        )
          + """
          CREATE VIRTUAL TABLE "magic_search(Item)" USING fts5(\
          \(names.indices.map { "c\($0)" }.joined(separator: ", ")), content='', \
          tokenize='unicode61 remove_diacritics 2');
          CREATE TABLE "magic_search(Item) log" (z_index INTEGER PRIMARY KEY, is_indexed, \
          \(names.map { "\"t \($0)\"" }.joined(separator: ", ")));
          WITH RECURSIVE n(i, t) AS (SELECT 1, hex(zeroblob(50)) UNION ALL
            SELECT i + 1, t FROM n WHERE i < 40000)
          INSERT INTO Item SELECT i, t, t, t, t, t, t, t, t FROM n;
          INSERT INTO "magic_search(Item) log" (z_index, is_indexed) SELECT z_index, 0 FROM Item;
          """)
      connection.close()
      let word = String(repeating: "0", count: 40) + "1"
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try reader.database().type(named: "Item")
      #expect(type.searchIndex != nil)
      #expect(inspectionError { _ = try reader.rowIDs(matching: word, in: type) } == .limit)
      let browser = MagicBrowser(path: path)
      let json = try JSONSerialization.jsonObject(
        with: try await browser.page("/type/Item.json?q=\(word)"))
      let found = try #require(json as? [String: Any])
      #expect(found["isInterrupted"] as? Bool == true)
      #expect((found["rows"] as? [Any])?.isEmpty == true)
      let page = String(
        decoding: try await browser.page("/type/Item?q=\(word)"), as: UTF8.self)
      #expect(page.contains("The search has found no object in its time."))
      #expect(!page.contains("No object meets the filters."))
    }
  }

  /// The rows that the index does not have yet are among them.
  @Test func searchThatFindsTooManyToRankHasTheFirstRows() async throws {
    try await Library.withDatabase { path in
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        """
        INSERT INTO Essay (z_index, id, title, body, tags, section)
          VALUES (77, 77, 'A disk', '', CAST('[]' AS BLOB), 'b'), (-7, -7, 'Disks', '', '[]', 'a');
        """)
      connection.close()
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try reader.database().type(named: "Essay")
      var request = RowRequest(search: RowSearch("disk", in: type))
      let ranked = try reader.page(of: type, request)
      #expect(!ranked.isUnranked)
      let all = ranked.rows.map(\.rowID).sorted()
      #expect(all.count == 5 && all.first == -7 && all.last == 77)
      request.rankingTime = .zero
      let page = try reader.page(of: type, request)
      #expect(page.isUnranked && !page.isInterrupted)
      #expect(page.rows.map(\.rowID) == all)
      #expect(page.rows.allSatisfy { $0.score == nil })
      // The positions of its pages have no scores, so the next pages are unranked too.
      request.limit = 2
      for isDescending in [false, true] {
        request.isDescending = isDescending
        request.position = nil
        request.rankingTime = .zero
        var pages: [RowPage] = []
        repeat {
          pages.append(try reader.page(of: type, request))
          request.position = pages.last?.next
          request.rankingTime = .seconds(60)
        } while request.position != nil
        #expect(pages.map(\.rows.count) == [2, 2, 1])
        #expect(pages.allSatisfy { $0.isUnranked })
        #expect(pages.flatMap(\.rows).map(\.rowID) == (isDescending ? all.reversed() : all))
        request.position = pages.last?.previous
        #expect(try reader.page(of: type, request).rows == pages[1].rows)
      }
      request.isDescending = false
      request.position = nil
      request.rankingTime = .zero
      request.filters = [
        RowFilter(try #require(type.column(named: "section")), .equal, InspectedValue(.text("b")))
      ]
      #expect(try reader.page(of: type, request).rows.map(\.rowID).last == 77)
      #expect(try reader.page(of: type, request).rows.count == 2)
    }
  }

  /// The words with a beginning have lower row IDs than whole words on earlier pages.
  @Test func pagesWithoutRanksHaveEveryRowOnce() async throws {
    try await Library.withDatabase { path in
      let magic = try await MagicData(path: path)
      try await magic.update(contentsOf: [
        Library.Essay(5, "Diskettes", ""), Library.Essay(6, "A disk", ""),
        Library.Essay(7, "Diskless", ""), Library.Essay(8, "The disk", ""),
      ])
      await magic.close()
      let reader = try InspectionReader(path: path)
      defer { reader.close() }
      let type = try reader.database().type(named: "Essay")
      var request = RowRequest(search: RowSearch("disk", in: type))
      let all = Set(try reader.page(of: type, request).rows.map(\.rowID))
      #expect(all.count == 7)
      request.rankingTime = .zero
      for limit in 1...7 {
        for isDescending in [false, true] {
          request.limit = limit
          request.isDescending = isDescending
          request.position = nil
          var pages: [RowPage] = []
          repeat {
            pages.append(try reader.page(of: type, request))
            request.position = pages.last?.next
          } while request.position != nil && pages.count <= all.count
          let found = pages.flatMap(\.rows).map(\.rowID)
          #expect(found.count == all.count && Set(found) == all, "\(limit): \(found)")
          for (page, following) in zip(pages, pages.dropFirst()) {
            request.position = following.previous
            #expect(try reader.page(of: type, request).rows == page.rows)
          }
        }
      }
    }
  }

  @Test func linksOfUnrankedPagesHaveNoScores() async throws {
    try await Library.withDatabase { path in
      try await serving(path) { served async throws in
        let all = try await Self.rows(path, "/type/Essay.json?q=disk").compactMap {
          $0["row"] as? Int
        }.sorted()
        let first = try await served.get("/type/Essay?q=disk&limit=1&after=\(all[0])").text
        #expect(first.contains("too many objects to look for the best matches"))
        #expect(first.contains("3 objects, filtered, by row"))
        #expect(rowIDs(first) == [String(all[1])])
        let second = try await served.get(try #require(link(rel: "next", in: first))).text
        #expect(rowIDs(second) == [String(all[2])])
        #expect(second.contains("too many objects to look for the best matches"))
        let json = try object(try await served.get("/type/Essay.json?q=disk&after=\(all[0])"))
        #expect(json["isUnranked"] as? Bool == true)
      }
    }
  }

  @Test func wordsAreMarkedAndTextsAreEscaped() async throws {
    try await Library.withDatabase { path in
      try await serving(path) { served async throws in
        let page = try await served.get("/type/Essay?q=alert+disk").text
        #expect(page.contains("<mark>disk</mark>"))
        #expect(page.contains("&lt;script&gt;<mark>alert</mark>(1)&lt;/script&gt;"))
        #expect(!page.contains("<script>alert"))
        #expect(page.contains("1 object, filtered, best matches first"))
        #expect(page.contains("aria-label=\"Words in title, body, tags\""))
        let accents = try await served.get("/type/Essay?q=resume").text
        #expect(accents.contains("<mark>Résumé</mark> of &lt;b&gt;disks&lt;/b&gt;"))
      }
    }
  }

  @Test func trigramsFindPartsOfWordsAndShortOnesReadTheTable() async throws {
    try await Library.withDatabase { path in
      for (query, code) in [("234", "AB-1234-X"), ("5678-y", "CD-5678-Y"), ("B-", "AB-1234-X")] {
        let rows = try await Self.rows(path, "/type/Part.json?q=\(query)")
        #expect(rows.compactMap { $0["code"] as? String } == [code])
      }
    }
  }

  @Test func rowsOfOtherProgramsAreFoundBeforeTheIndexHasThem() async throws {
    try await Library.withDatabase { path in
      let connection = try SQLiteConnection(path: path)
      try connection.execute(
        """
        UPDATE Essay SET title = 'Lighthouse' WHERE id = 2;
        INSERT INTO Essay (z_index, id, title, body, tags, section)
          VALUES (77, 77, 'A lighthouse of disks', '', CAST('["keeper"]' AS BLOB), 'a');
        DELETE FROM Essay WHERE id = 3;
        """)
      connection.close()
      #expect(Set(try await Self.identifiers(path, "q=lighthouse")) == [2, 77])
      #expect(try await Self.identifiers(path, "q=keeper") == [77])
      #expect(Set(try await Self.identifiers(path, "q=disk")) == [1, 77])
    }
  }

  @Test(arguments: [
    "CREATE TABLE \"magic_search(Item)\" (c0); CREATE TABLE \"magic_search(Item) log\" (z_index)",
    """
    CREATE VIRTUAL TABLE "magic_search(Item)" USING fts5(c0, content='magic_format',
      tokenize='unicode61 remove_diacritics 2');
    CREATE TABLE "magic_search(Item) log" (z_index INTEGER PRIMARY KEY, is_indexed, "t name")
    """,
    """
    CREATE VIRTUAL TABLE "magic_search(Item)" USING fts5(c0, content='', tokenize='ascii');
    CREATE TABLE "magic_search(Item) log" (z_index INTEGER PRIMARY KEY, is_indexed, "t name")
    """,
  ])
  func indexThatTheLibraryDidNotCreateIsNotUsed(_ sql: String) throws {
    try reading(
      library("name TEXT", properties: [("name", "text")]) + sql
        + "; INSERT INTO Item VALUES (1, 'needle')"
    ) { reader, database in
      let type = database.types[0]
      #expect(type.searchIndex == nil)
      #expect(database.problems.count == 1)
      let page = try reader.page(of: type, RowRequest(search: RowSearch("EEDL", in: type)))
      #expect(page.rows.map(\.rowID) == [1])
    }
  }
}
