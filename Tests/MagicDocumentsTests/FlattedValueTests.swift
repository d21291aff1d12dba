import EngineConformance
import Foundation
import MagicData
import MagicTestSupport
import Testing

struct Address: MagicalCodable, Equatable {
  var street: String
  var since: Date?
  var former: [Address]?
}

/// Objects whose values contain objects of JSON.
struct Resident: MagicObject {
  @PrimaryMagicValue var name: String
  @OptionMagicValue var address: Address?
  @MagicValue var pets: [Pet] = []
  @MagicValue var friends: [Resident] = []

  init() {}
}

struct Pet: MagicObject {
  @MagicValue var name: String
  @OptionMagicValue var home: Address?
  @OptionMagicValue var owner: AsyncMagical<Resident>?

  init() {}
}

/// Values of documents in the form of flatted, and what happens while they are read.
@Suite(.everyEngine) struct FlattedValueTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func magic() async throws -> MagicData { try await .onTestedEngine(type: .temporary) }

  private func residents(_ text: String) throws -> MagicImport<Resident> {
    let url = directory.file("residents.json")
    try Data(text.utf8).write(to: url)
    return MagicImport(Resident.self, from: url.path)
  }

  @Test func anObjectThatIsAValueIsNeitherLabelledNorAReference() async throws {
    let magic = try await magic()
    let file = try residents(
      """
      [{"Resident":"1"},["2","3"],
       {"name":"4","address":"5","pets":"9"},{"name":"6","address":"5","pets":"9"},
       "Ann",{"street":"7","since":"8","former":"12"},"Ben","Main Street","2001-01-01T00:00:01Z",
       ["10"],{"name":"11","home":"5","owner":"2"},"Rex",["13","13"],{"street":"7"}]
      """)
    #expect(try await magic.importPlan(for: file).isPossible)
    try await magic.importObjects(file)
    let former = [Address(street: "Main Street"), Address(street: "Main Street")]
    let address = Address(
      street: "Main Street", since: Date(timeIntervalSinceReferenceDate: 1), former: former)
    for name in ["Ann", "Ben"] {
      let resident = try await magic.object(of: Resident.self, primary: name)
      #expect(resident.address == address && resident.pets.map(\.home) == [address])
      #expect(try await resident.pets[0].owner?.get().name == "Ann")
    }
    #expect(try await magic.query(Pet.self).count() == 1)
    await magic.close()
  }

  @Test func aValueThatContainsItselfIsRefused() async throws {
    let magic = try await magic()
    let file = try residents(
      #"[{"Resident":"1"},["2"],{"name":"3","address":"4"},"A",{"street":"3","former":"5"},["4"]]"#)
    await #expect { try await magic.importObjects(file) } throws: {
      "\($0)".contains("a value of JSON contains itself")
    }
    await magic.close()
  }

  @Test func anObjectInAColumnThatIsLeftOutIsImportedElsewhere() async throws {
    let magic = try await magic()
    var file = try residents(
      #"[{"Resident":"1"},["2"],{"name":"3","old":"4","pets":"4"},"A",["5"],{"name":"6"},"Rex"]"#)
    file.property = { $0 == "old" ? nil : $0 }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.isPossible && plan.columns[1].lostValues == 1, "\(plan)")
    try await magic.importObjects(file)
    let resident = try await magic.object(of: Resident.self, primary: "A")
    #expect(resident.pets.map(\.name) == ["Rex"])
    await magic.close()
  }

  @Test func twoRecordsWithOnePrimaryAreRefused() async throws {
    let magic = try await magic()
    // Both refer to each other, so that neither could be saved first.
    let file = try residents(
      """
      [{"Resident":"1"},["2","3"],
       {"name":"4","friends":"5"},
       {"name":"4","friends":"6"},"Ann",["3"],["2"]]
      """)
    do {
      try await magic.importObjects(file)
      Issue.record("The file was imported.")
    } catch let error as MagicError {
      let cause = try #require(error.cause as? MagicImportError)
      #expect(error.code == .cannotDecode && cause.line == 3 && cause.record == 2, "\(error)")
      #expect(cause.reason == "the document contains the object twice")
    }
    let plan = try await magic.importPlan(for: file)
    #expect(plan.errorCount == 1 && plan.errors.first?.line == 3, "\(plan)")
    #expect(try await magic.query(Resident.self).count() == 0)
    await magic.close()
  }

  /// A document of residents without other values.
  private func many(_ count: Int) throws -> MagicImport<Resident> {
    let list = (0..<count).map { "\"\($0 + 2)\"" }.joined(separator: ",")
    let records = (0..<count).map { "{\"name\":\"\($0 + 2 + count)\"}" }.joined(separator: ",\n")
    let names = (0..<count).map { "\"Name \($0)\"" }.joined(separator: ",")
    return try residents("[{\"Resident\":\"1\"},[\(list)],\(records),\(names)]")
  }

  @Test(.requires(.singleRuns)) func theProgressIsThatOfEachThousandRecords() async throws {
    let magic = try await magic()
    let fractions = Recorder<Double>()
    try await magic.importObjects(try many(2_500)) { fractions.note($0.fraction) }
    #expect(fractions.all == [0.4, 0.8, 1])
    #expect(try await magic.query(Resident.self).count() == 2_500)
    await magic.close()
  }

  @Test func aCancelledImportEndsAtTheNextThousandRecords() async throws {
    let magic = try await magic()
    let file = try many(2_500)
    let fractions = Recorder<Double>()
    let task = Task {
      try await magic.importObjects(file) { progress in
        fractions.note(progress.fraction)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fractions.all == [0.4])
    #expect(try await magic.query(Resident.self).count() == 0)
    await magic.close()
  }
}
