import EngineConformance
import Foundation
import MagicData
import MagicSQLite
import MagicTestSupport
import TestModels
import Testing

@Suite(.everyEngine) struct FetchingTests {
  let scratch = Scratch()

  @Test func objectsAreFetchedInOrderOfTheirRowIDs() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let people = ["c", "a", "d", "b"].map { Person(id: $0, name: $0) }
    try await magic.update(contentsOf: people)
    people[0].name = "z"
    try await magic.update(people[0])
    let fetched = try await magic.object(of: Person.self)
    #expect(fetched.map(\.id) == ["c", "a", "d", "b"])
    let zIndexes = fetched.compactMap(\.zIndex)
    #expect(zIndexes == zIndexes.sorted())
    #expect(zIndexes.count == 4)
  }

  @Test func aTypeThatWasNeverSavedHasNoObjectsAndGetsNoTable() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    #expect(try await magic.object(of: Person.self).isEmpty)
    #expect(try await magic.object(of: Person.self, primaries: ["a"]).isEmpty)
    #expect(try await magic.has(of: Person.self, primary: "a") == false)
    await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self, primary: "a")
    }
    await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self).where { _ in true }
    }
    try scratch.expectRows(0, in: "sqlite_master")
    try await magic.update(Note("a"))
    #expect(try await magic.object(of: Person.self).isEmpty)
    if TestedEngine.current.has(.files) {
      #expect(
        try scratch.raw().integer("SELECT count(*) FROM sqlite_master WHERE name = 'Person'") == 0)
    }
  }

  @Test func anObjectIsFetchedByItsPrimary() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let (device, ticket) = (Device("d"), Ticket("t"))
    try await magic.update(device)
    try await magic.update(ticket)
    try await magic.update(Person(id: "e\u{301}", name: "apart"))
    #expect(try await magic.object(of: Device.self, primary: device.id).label == "d")
    #expect(try await magic.object(of: Ticket.self, primary: 1).title == "t")
    #expect(try await magic.object(of: Person.self, primary: "e\u{301}").name == "apart")
    #expect(try await magic.has(of: Device.self, primary: device.id))
    #expect(try await magic.has(of: Device.self, primary: UUID()) == false)
    #expect(try await magic.has(of: Ticket.self, primary: 2) == false)
    // Names are compared byte by byte.
    #expect(try await magic.has(of: Person.self, primary: "\u{E9}") == false)
  }

  @Test func aMissingPrimaryIsNotFound() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Person(id: "ada", name: "Ada"))
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self, primary: "secret")
    }
    #expect(error?.code == .notFound)
    #expect(error?.type == "Person")
    #expect("\(error as Any)".contains("secret") == false)
  }

  @Test func aTypeWithoutAPrimaryIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for call in [
      { _ = try await magic.object(of: Note.self, primary: "a") },
      { _ = try await magic.object(of: Note.self, primaries: ["a"]) },
      { _ = try await magic.has(of: Note.self, primary: "a") },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: MagicError.self) { try await call() }
      #expect(error?.code == .missingPrimary)
      #expect(error?.type == "Note")
    }
  }

  @Test func aPrimaryOfAnotherTypeIsRefused() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    for call in [
      { _ = try await magic.object(of: Person.self, primary: 7) },
      { _ = try await magic.object(of: Person.self, primaries: [UUID()]) },
      { _ = try await magic.has(of: Ticket.self, primary: "a") },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: MagicError.self) { try await call() }
      #expect(error?.code == .wrongType)
      #expect(error?.property != nil)
    }
  }

  @Test func aFetchByPrimariesKeepsTheirOrderAndOmitsMissingObjects() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(contentsOf: (1...6_000).map { Ticket("ticket \($0)") })
    let wanted = (1...10_000).reversed().map { $0 &* 7 % 10_007 }
    let found = try await magic.object(of: Ticket.self, primaries: wanted)
    #expect(found.map(\.number) == wanted.filter { (1...6_000).contains($0) })
    #expect(found.allSatisfy { $0.title == "ticket \($0.number)" })
    #expect(try await magic.object(of: Ticket.self, primaries: [Int]()).isEmpty)
  }

  @Test func aPrimaryThatIsRequestedTwiceReturnsOneInstance() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: ["a", "b"].map { Person(id: $0, name: $0) })
    let found = try await magic.object(of: Person.self, primaries: ["a", "b", "none", "a"])
    #expect(found.map(\.id) == ["a", "b", "a"])
    found[0].name = "changed"
    #expect(found.map(\.name) == ["changed", "b", "changed"])
  }

  @Test func objectsFetchedTwiceAreIndependent() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    let ada = Person(id: "ada", name: "Ada")
    try await magic.update(ada)
    let first = try await magic.object(of: Person.self, primary: "ada")
    let second = try await magic.object(of: Person.self)[0]
    first.name = "first"
    second.petName = "second"
    #expect(ada.name == "Ada")
    #expect(second.name == "Ada")
    #expect(first.petName == nil)
    #expect(first.isSameRow(as: second))
  }

  @Test func copiesShareTheirState() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Person(id: "ada", name: "Ada"))
    let fetched = try await magic.object(of: Person.self)[0]
    let copy = fetched
    copy.name = "changed"
    copy.petName = "Mao"
    #expect(fetched.name == "changed")
    #expect(fetched.petName == "Mao")
  }

  @Test func whereReturnsTheFirstMatchAndReadsNoMoreRows() async throws {
    let magic = try await MagicData.onTestedEngine(type: .temporary)
    try await magic.update(contentsOf: (0..<10_000).map { Note("\($0 % 100)") })
    let seen = Recorder<String>()
    let found = try await magic.object(of: Note.self).where { note in
      seen.note(note.text)
      return note.text == "42"
    }
    #expect(found.zIndex?.rawValue == 43)
    #expect(seen.all == (0...42).map(String.init))
  }

  @Test(.requires(.files)) func whereDoesNotReadADamagedRowAfterTheMatch() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<1_000).map { Note("\($0)") })
    // A row far after the match is damaged, and is not read.
    try scratch.raw().execute("UPDATE Note SET text = X'00' WHERE z_index = 900")
    #expect(try await magic.object(of: Note.self).where { $0.text == "3" }.zIndex?.rawValue == 4)
  }

  @Test func whereWithoutAMatchIsNotFound() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Note("a"))
    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Note.self).where { $0.text == "b" }
    }
    #expect(error?.code == .notFound)
  }

  @Test func anErrorThatTheClosureThrowsIsRethrown() async throws {
    struct Refusal: Error {}
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(contentsOf: (0..<200).map { Note("\($0)") })
    await #expect(throws: Refusal.self) {
      try await magic.object(of: Note.self).where { note in
        if note.text == "100" { throw Refusal() }
        return false
      }
    }
    // The connection is still usable.
    #expect(try await magic.object(of: Note.self).count == 200)
  }

  @Test func aFetchedMatchCanBeChangedAndSaved() async throws {
    let magic = try await MagicData.onTestedEngine(path: scratch.file())
    try await magic.update(Person(id: "ada", name: "Ada"))
    let id = "ada"
    let ada = try await magic.object(of: Person.self).where { $0.id == id }
    ada.name = "Grace"
    try await magic.update(ada)
    #expect(try await magic.object(of: Person.self).map(\.name) == ["Grace"])
  }
}
