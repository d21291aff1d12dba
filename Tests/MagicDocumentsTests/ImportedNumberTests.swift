import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// A type with numbers that other programs write in several forms.
struct Account: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var balance: Decimal = 0
  @OptionMagicValue var limit: Decimal?
  @MagicValue var isOpen: Bool = false
  @OptionMagicValue var rate: Double?
  @OptionMagicValue var opened: Date?
  @OptionMagicValue var parent: Account?

  init() {}
}

/// Numbers of imported files.
@Suite(.everyEngine) struct ImportedNumberTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func accounts(
    _ text: String, _ name: String, _ dates: MagicImportDates = .detected
  ) throws -> MagicImport<Account> {
    let url = directory.file(name)
    try Data(text.utf8).write(to: url)
    var accounts = MagicImport(Account.self, from: url.path)
    accounts.dates = dates
    return accounts
  }

  private func imported(_ file: MagicImport<Account>) async throws -> Account {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    do {
      try await magic.importObjects(file)
      let account = try await magic.object(of: Account.self, primary: "a")
      await magic.close()
      return account
    } catch {
      await magic.close()
      throw error
    }
  }

  private func refusal(_ file: MagicImport<Account>) async throws -> MagicImportError {
    let error = await #expect(throws: MagicError.self) { _ = try await imported(file) }
    return try #require(error?.cause as? MagicImportError)
  }

  @Test(arguments: [
    ("1.5", 1.5), ("+1", 1), ("-.5", -0.5), ("5.", 5), ("007", 7), ("1e3", 1_000),
    ("2.5E-1", 0.25), (" 4 ", 4), ("1e-400", 0), ("inf", .infinity), ("-Infinity", -.infinity),
  ]) func aNumberOfCSVIsInDecimalNotation(_ text: String, _ number: Double) async throws {
    #expect(try await imported(accounts("id,rate\na,\(text)\n", "a.csv")).rate == number)
  }

  @Test(arguments: [
    "0x10", "0x1p4", "1e400", "-1e400", "nan", "1_000", "1,5", "1e", "e5", ".", "+", "1 2", "١",
  ]) func anotherNumberOfCSVIsRefused(_ text: String) async throws {
    let fault = try await refusal(accounts("id;rate\na;\(text)\n", "a.csv"))
    #expect(fault.line == 2 && fault.record == 1 && fault.column == "rate", "\(fault)")
    #expect(fault.reason.contains("too large") == text.contains("400"), "\(fault)")
  }

  @Test(arguments: ["0x10", "1e400", "nan", "inf", "+1", "01"])
  func aDateThatIsAnotherNumberIsRefused(_ text: String) async throws {
    let json = try accounts(#"{"id":"a","opened":\#(text)}"#, "a.jsonl", .secondsSince1970)
    #expect(try await refusal(json).column == "opened")
    // Texts and fields of CSV are less strict than numbers of JSON.
    guard !["+1", "01"].contains(text) else { return }
    let quoted = try accounts(#"{"id":"a","opened":"\#(text)"}"#, "a.jsonl", .secondsSince1970)
    #expect(try await refusal(quoted).column == "opened")
    let field = try accounts("id,opened\na,\(text)\n", "a.csv", .secondsSince1970)
    #expect(try await refusal(field).column == "opened")
  }

  @Test(arguments: [
    ("12.50", "12.5"), ("-3", "-3"), ("0.1", "0.1"), ("1.5e3", "1500"), ("25E-2", "0.25"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.12345678901234567890123456789", "0.12345678901234567890123456789"),
  ]) func aNumberOfJSONIsAnExactDecimal(_ text: String, _ expected: String) async throws {
    let decimal = try #require(Decimal(string: expected))
    let account = try await imported(
      accounts(
        #"{"id":"a","balance":\#(text),"limit":\#(text),"parent":{"id":"p","balance":\#(text)}}"#,
        "a.jsonl"))
    #expect(account.balance == decimal && account.limit == decimal)
    #expect(account.parent?.balance == decimal)
  }

  @Test(arguments: [
    "1234567890123456789012345678901234567890123", "1e400", "0x10", "01", "true", "1e99999999",
  ]) func aNumberThatNoDecimalHasIsRefused(_ text: String) async throws {
    let fault = try await refusal(accounts(#"{"id":"a","balance":\#(text)}"#, "a.jsonl"))
    #expect(fault.line == 1 && fault.column == "balance", "\(fault)")
  }

  @Test func zeroAndOneAreBooleanValues() async throws {
    #expect(try await imported(accounts(#"{"id":"a","isOpen":1}"#, "a.jsonl")).isOpen)
    #expect(try await !imported(accounts(#"{"id":"a","isOpen":0}"#, "a.jsonl")).isOpen)
    for text in ["2", "-1", "1.0", "0e0", "10", "\"1\""] {
      let fault = try await refusal(accounts(#"{"id":"a","isOpen":\#(text)}"#, "a.jsonl"))
      #expect(fault.column == "isOpen" && fault.reason.contains("true or false"), "\(fault)")
    }
  }

  @Test func aDocumentHasItsOwnForms() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    for text in [#"{"id":"a","balance":1}"#, #"{"id":"a","isOpen":1}"#] {
      await #expect(throws: MagicError.self) {
        try await magic.update(json: MagicJSON(text), as: Account.self)
      }
    }
    await magic.close()
  }
}
