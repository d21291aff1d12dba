import Foundation
import MagicData
import ToolTestSupport
import Testing

/// Forms of files and of numbers that other programs write.
@Suite struct RecordFormTests {
  struct Price: MagicObject {
    @PrimaryMagicValue var id: String
    @MagicValue var amount: Decimal = 0
    @MagicValue var isNet: Bool = false
    @OptionMagicValue var weight: Double?

    init() {}
    init(_ id: String) { self.id = id }
  }

  private func withFile(
    _ name: String, _ bytes: Data, _ body: (_ file: String, _ database: String) async throws -> Void
  ) async throws {
    try await withDirectory { directory in
      let database = directory.appendingPathComponent("a.sqlite3").path
      let magic = try await MagicData(path: database)
      try await magic.update(Price("stored"))
      await magic.close()
      let file = directory.appendingPathComponent(name)
      try bytes.write(to: file)
      try await body(file.path, database)
    }
  }

  private func prices(_ database: String) async throws -> [Price] {
    let magic = try await MagicData(path: database)
    let prices = try await magic.query(Price.self).where { $0.$id != "stored" }
      .order(by: \.$id).all()
    await magic.close()
    return prices
  }

  @Test func numbersOfJSONAreDecimalsAndBooleanValues() async throws {
    let text = """
      {"id":"a","amount":12345678901234567890.25,"isNet":1,"weight":2}
      {"id":"b","amount":1.5e3,"isNet":0}
      {"id":"c","amount":"-0.10","isNet":true}
      """
    try await withFile("Price.jsonl", Data(text.utf8)) { file, database in
      let run = await magic("import", file, database)
      #expect(run.status == 0, "\(run)")
      let prices = try await prices(database)
      let amounts = ["12345678901234567890.25", "1500", "-0.1"].map { Decimal(string: $0) }
      #expect(prices.map(\.amount) == amounts && prices.map(\.isNet) == [true, false, true])
      let texts = await magic(
        "query", database, "SELECT amount FROM Price WHERE id = 'b'", "--csv")
      #expect(texts.lines == ["amount", "1500"])
    }
  }

  @Test(arguments: [
    ("0x10", "weight"), ("1e400", "weight"), ("2", "isNet"),
    ("1234567890123456789012345678901234567890123", "amount"),
  ])
  func otherNumbersAreRefusedWithTheirPlace(_ number: String, _ column: String) async throws {
    let others = ["amount": "\"amount\":1,", "isNet": "\"isNet\":1,"].filter { $0.key != column }
      .values.joined()
    let json = "{\"id\":\"a\",\(others)\"\(column)\":\(number)}"
    try await withFile("Price.jsonl", Data(json.utf8)) { file, database in
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains("line 1, record 1, column \(column)"))
    }
    let csv = "id,amount,isNet,weight\na,1,1,\(number)\n"
    guard column == "weight" else { return }
    try await withFile("Price.csv", Data(csv.utf8)) { file, database in
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains("line 2, record 1, column weight"))
      let stored = try await prices(database)
      #expect(stored.isEmpty)
    }
  }

  @Test func theFormOfAFileCanBeGiven() async throws {
    let text = "a,1:1.5:yes\nb,2:2:no\n"
    let bytes = try #require(text.data(using: .utf16LittleEndian))
    try await withFile("prices.csv", bytes) { file, database in
      let options = [
        "--type", "Price", "--delimiter", ":", "--encoding", "utf-16le", "--no-header", "--map",
        "1=id", "--map", "2=amount", "--map", "3=isNet",
      ]
      let plan = await magic(["import", file, database, "--plan"] + options)
      #expect(plan.lines.contains("Price: 2 records can be imported, 0 have errors."), "\(plan)")
      #expect(plan.lines.contains("  2 → amount: Decimal, 2 values"), "\(plan)")
      let run = await magic(["import", file, database] + options)
      #expect(run.status == 0, "\(run)")
      let stored = try await prices(database)
      #expect(stored.map(\.id) == ["a,1", "b,2"])
    }
  }

  @Test func aTabAndWindowsCharactersCanBeGiven() async throws {
    // The beginning of the file is UTF-8.
    let bytes = Data(
      "id\tamount\tisNet\n\u{C3}\u{A9}\t1,5\t1\n".unicodeScalars.map { UInt8($0.value) })
    try await withFile("Price.tsv", bytes) { file, database in
      let refused = await magic("import", file, database, "--delimiter", "tab")
      #expect(refused.status != 0 && refused.messages.contains("column amount"), "\(refused)")
      let fixed = Data(bytes.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 })
      try fixed.write(to: URL(fileURLWithPath: file))
      let run = await magic(
        "import", file, database, "--delimiter", "tab", "--encoding", "windows-1252")
      #expect(run.status == 0, "\(run)")
      let stored = try await prices(database)
      #expect(stored.map(\.id) == ["Ã©"])
    }
  }

  @Test(arguments: [
    ["--delimiter", ""], ["--delimiter", "\""], ["--delimiter", ",,"], ["--delimiter", "é"],
    ["--delimiter", "\n"], ["--encoding", "latin"], ["--encoding", ""],
  ])
  func invalidFormsAreRefused(_ options: [String]) async throws {
    try await withFile("Price.csv", Data("id,amount,isNet\na,1,1\n".utf8)) { file, database in
      let run = await magic(["import", file, database] + options)
      #expect(run.status == 64 && run.messages.contains(options[0]), "\(run)")
      let stored = try await prices(database)
      #expect(stored.isEmpty)
    }
  }

  @Test(arguments: [["--delimiter", ","], ["--no-header"]])
  func formsOfCSVAreNotThoseOfJSON(_ options: [String]) async throws {
    try await withFile("Price.jsonl", Data(#"{"id":"a","amount":1,"isNet":1}"#.utf8)) {
      file, database in
      let run = await magic(["import", file, database] + options)
      #expect(run.status == 64 && run.messages.contains("are for files of CSV"), "\(run)")
      #expect(await magic("import", file, database, "--encoding", "utf-8").status == 0)
    }
  }

  @Test(arguments: ["", "a,1,1,x\n"])
  func anUnknownColumnIsRefusedWithAndWithoutRecords(_ records: String) async throws {
    let text = "id,amount,isNet,other\n" + records
    try await withFile("Price.csv", Data(text.utf8)) { file, database in
      #expect(await magic("import", file, database, "--plan").status == 1)
      let run = await magic("import", file, database)
      #expect(run.status != 0 && run.messages.contains("line 1, column other"), "\(run)")
      for options in [["--plan"], []] {
        let run = await magic(["import", file, database, "--map", "other="] + options)
        #expect(run.status == 0, "\(run)")
      }
    }
  }

  @Test func keysThatAreValuesAreCountedTogether() async throws {
    var text = ""
    for number in 1...1_200 {
      text += "{\"id\":\"\(number)\",\"amount\":1,\"isNet\":1,\"key \(number)\":[]}\n"
    }
    try await withFile("Price.jsonl", Data(text.utf8)) { file, database in
      let plan = await magic("import", file, database, "--plan", "--json")
      let json = try #require(try plan.json() as? [String: Any])
      #expect(json["isPossible"] as? Bool == false && json["unlistedValues"] as? Int == 203)
      #expect((json["columns"] as? [Any])?.count == 1_000)
    }
  }
}
