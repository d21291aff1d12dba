import Foundation
import MagicCommand
import Testing
import ToolTestSupport

@Suite struct QueryTests {
  private func query(_ sql: String, _ arguments: String...) async throws -> Run {
    try await withDirectory { directory in
      await magic(["query", try Fixture.columns.copy(to: directory), sql] + arguments)
    }
  }

  @Test func rowsAreATable() async throws {
    let run = try await query("SELECT 1 AS number, 'a' AS letter UNION SELECT 20, NULL")
    #expect(run.lines == ["number  letter", "     1  a", "    20  NULL"])
  }

  @Test func rowsAreJSON() async throws {
    let sql = "SELECT z_index, job, name FROM Person WHERE z_index IN (1, 2) ORDER BY 1"
    let rows = try #require(try await query(sql, "--json").json() as? [[String: Any]])
    #expect(rows.map { $0["z_index"] as? Int } == [1, 2])
    #expect((rows[0]["job"] as? [String: Any])?["days"] as? [Int] == [1, -1])
    #expect(rows[1]["job"] is NSNull)
    let lines = try await query(sql, "--ndjson").lines
    #expect(lines.count == 2)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  @Test func rowsAreCSV() async throws {
    let run = try await query(
      "SELECT 'a,b' AS \"x\"\"y\", 'c\"d', NULL, 1.5, x'0102', char(10)", "--csv")
    #expect(
      run.output
        == "\"x\"\"y\",\"'c\"\"d'\",NULL,1.5,x'0102',char(10)\n\"a,b\",\"c\"\"d\",,1.5,AQI=,\"\n\"\n"
    )
  }

  @Test func parametersAreValues() async throws {
    let run = try await query(
      "SELECT typeof(:a), typeof(@b), typeof($c), :d, ?5", "-p", "a=1", "-p", "@b=1.5", "-p",
      "c=null", "-p", "d='01'", "-p", "5=x=y", "--csv")
    #expect(run.lines.last == "integer,real,null,01,x=y")
    for text in ["+49123", "0x1F", "1_000", "infinity", "nan", "+1.5"] {
      #expect(
        try await query("SELECT typeof(:a) AS a", "-p", "a=\(text)").lines.last == "text", "\(text)"
      )
    }
    let hostile = "1; DROP TABLE Person"
    #expect(
      try await query("SELECT :a AS a", "-p", "a=\(hostile)").lines.last == Substring(hostile))
    #expect(try await query("SELECT :a").status == 64)
    #expect(try await query("SELECT 1", "-p", "a").status == 64)
    #expect(try await query("SELECT 1", "-p", "a=1").status == 64)
  }

  @Test func plansAreCSV() async throws {
    let lines = try await query("SELECT * FROM Person", "--explain", "--csv").lines
    #expect(lines == ["depth,step,isFullScan", "0,SCAN Person,true"])
  }

  @Test func messagesHaveNoCodes() async throws {
    try await withDirectory { directory in
      let path = try Fixture.columns.copy(to: directory)
      let run = await magic("backup", path, path)
      #expect(run.status == 7)
      #expect(run.messages.hasPrefix("magic: "))
      #expect(!run.messages.contains("fileExists"))
    }
  }

  @Test func rowsAndTimeAreLimited() async throws {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    let run = try await query(endless, "--limit", "3")
    #expect(run.lines.count == 4)
    #expect(run.messages.contains("first 3 rows"))
    #expect(run.status == 0)
    #expect(try await query(endless + " WHERE i < 0", "--timeout", "0.1").status == 5)
    #expect(try await query("SELECT 1", "--timeout", "0").status == 64)
    #expect(try await query("SELECT 1", "--limit", "-1").status == 64)
  }

  @Test func aPlanIsShownWithoutRunningTheStatement() async throws {
    let scan = try await query("SELECT * FROM Person WHERE age = 1", "--explain")
    #expect(scan.output.contains("reads the whole table"))
    let search = try await query("SELECT * FROM Person WHERE id = :id", "--explain")
    #expect(search.output.contains("SEARCH"))
    let steps = try #require(
      try await query("SELECT * FROM Person", "--explain", "--json").json() as? [[String: Any]])
    #expect(steps.first?["isFullScan"] as? Bool == true)
  }

  @Test(arguments: ["DELETE FROM Person", "PRAGMA user_version = 3", "ATTACH 'x' AS y", "VACUUM"])
  func writingIsRefused(_ sql: String) async throws {
    let run = try await query(sql)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("magic: "))
  }
}
