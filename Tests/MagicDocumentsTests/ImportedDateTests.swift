import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

/// Values that are stored as JSON, and a relationship that is fetched when it is read.
struct Stay: MagicObject {
  @PrimaryMagicValue var id: String
  @OptionMagicValue var job: Job?
  @MagicValue var days: [Date] = []
  @OptionMagicValue var guest: AsyncMagical<Guest>?
  @MagicValue var others: AsyncMagical<[Guest]> = .init(value: [])

  init() {}
}

/// Dates of imported files that are not values of columns.
@Suite(.everyEngine) struct ImportedDateTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func stays(
    _ text: String, _ name: String, _ dates: MagicImportDates
  ) throws -> MagicImport<Stay> {
    let url = directory.file(name)
    try Data(text.utf8).write(to: url)
    var stays = MagicImport(Stay.self, from: url.path)
    stays.dates = dates
    return stays
  }

  @Test(arguments: [
    (MagicImportDates.detected, "\"2001-01-01T00:00:01Z\""), (.detected, "1"),
    (.format("dd/MM/yyyy HH:mm:ss"), "\"01/01/2001 00:00:01\""),
    (.secondsSince1970, "978307201"), (.millisecondsSince1970, "978307201000"),
    (.secondsSince2001, "1"), (.secondsSince1970, "\"978307201\""),
  ])
  func datesInValuesOfJSONHaveTheFormOfTheFile(
    _ dates: MagicImportDates, _ date: String
  ) async throws {
    let magic = try await magic()
    let job = #"{"title":"a","since":\#(date)}"#
    let field = "\"" + job.replacing("\"", with: "\"\"") + "\""
    let days = "\"" + "[\(date)]".replacing("\"", with: "\"\"") + "\""
    let second = Date(timeIntervalSinceReferenceDate: 1)
    for (text, name) in [
      (#"{"id":"a","job":\#(job),"days":[\#(date)]}"#, "a.jsonl"),
      ("id,job,days\na,\(field),\(days)\n", "a.csv"),
    ] {
      try await magic.importObjects(try stays(text, name, dates))
      let stay = try await magic.object(of: Stay.self, primary: "a")
      #expect(stay.job == Job(title: "a", since: second) && stay.days == [second], "\(name)")
      try await magic.removeAll(of: Stay.self)
    }
    await magic.close()
  }

  @Test func aWrongDateInAValueIsAnErrorOfItsColumn() async throws {
    let magic = try await magic()
    let file = try stays(#"{"id":"a","job":{"title":"a","since":"soon"}}"#, "a.jsonl", .detected)
    do {
      try await magic.importObjects(file)
      Issue.record("The file was imported.")
    } catch let error as MagicError {
      let cause = try #require(error.cause as? MagicImportError)
      #expect(error.code == .cannotDecode && cause.column == "job", "\(error)")
      #expect(cause.reason.contains("the form that the import expects"), "\(error)")
    }
    await magic.close()
  }

  @Test func aDateInADocumentIsANumber() async throws {
    let magic = try await magic()
    await #expect(throws: MagicError.self) {
      try await magic.update(
        json: MagicJSON(#"{"id":"a","job":{"title":"a","since":"2001-01-01"}}"#), as: Stay.self)
    }
    await magic.close()
  }

  @Test func objectsOfLazyRelationshipsHaveTheFormOfTheFile() async throws {
    let magic = try await magic()
    let guest = #""name":"x","born":"01/01/2001""#
    let text = #"{"id":"a","guest":{"id":"g",\#(guest)},"others":[{"id":"o",\#(guest)}]}"#
    try await magic.importObjects(try stays(text, "a.jsonl", .format("dd/MM/yyyy")))
    for id in ["g", "o"] {
      let guest = try await magic.object(of: Guest.self, primary: id)
      #expect(guest.born == Date(timeIntervalSinceReferenceDate: 0))
    }
    await magic.close()
  }
}
