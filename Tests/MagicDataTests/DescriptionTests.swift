import EngineConformance
import MagicData
import Testing

private struct Pet: MagicObject {
  @PrimaryMagicValue var number: Int
  @MagicValue(.unique, .named("pet_name")) var name: String
  @OptionMagicValue var age: Int?

  init() {}
  init(name: String) { self.name = name }
}

/// Descriptions of objects and errors.
@Suite(.everyEngine) struct DescriptionTests {
  @Test func theDescriptionOfAnObjectHasItsValues() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    let pet = Pet(name: "Rex")
    #expect("\(pet)" == "Pet(unsaved, number: –, name: \"Rex\", age: –)")
    pet.age = 3
    try await magic.update(pet)
    #expect("\(pet)" == "Pet(row 1, number: 1, name: \"Rex\", age: 3)")
    let fetched = try await magic.object(of: Pet.self, primary: 1)
    #expect("\(fetched)" == "\(pet)")
    #expect("\(Pet())" == "Pet(unsaved, number: –, name: –, age: –)")
  }

  @Test func theErrorOfADuplicateUniqueValueNamesTypeAndProperty() async throws {
    let magic = try await MagicData.onTestedEngine(type: .memory)
    try await magic.update(Pet(name: "Rex"))
    let error = await #expect(throws: MagicError.self) {
      try await magic.update(Pet(name: "Rex"))
    }
    #expect(error?.code == .notUnique)
    #expect(error?.type == "Pet")
    #expect(error?.property == "name")
  }

  @Test(.requires(.files)) func theErrorOfAFileThatCannotBeCreatedHasTheReason() async throws {
    let error = await #expect(throws: MagicError.self) {
      try await MagicData.onTestedEngine(path: "/proc/no-such-database.sqlite3")
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("No such file or directory") == true)
    #expect(error?.message.contains("/proc/no-such-database.sqlite3") == true)
  }
}
