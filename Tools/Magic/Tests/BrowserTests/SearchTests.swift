import Foundation
import MagicBrowser
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
    ("q=disk+search", [1]), ("q=alert", [3]), ("q=%22", []), ("q=OR+%28", []), ("q=c0:disk", []),
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
