import Foundation
import MagicSchema
import Magical
import Testing

private struct ByText: MagicObject {
  @PrimaryMagicValue var id: String
  init() {}
}

private struct ByUUID: MagicObject {
  @PrimaryMagicValue var id: UUID
  init() {}
}

private struct ByNumber: MagicObject {
  @PrimaryMagicValue var id: Int
  init() {}
}

private struct ByDefault: MagicObject {
  @PrimaryMagicValue(.named("key")) var id: String = "fixed"
  init() {}
}

private struct Code: MagicalPrimaryValue, Equatable {
  var text: String
  var storedValue: String { text }
  init(text: String) { self.text = text }
  init(storedValue: String) { text = storedValue }
}

private enum Planet: Int, MagicalPrimaryValue {
  case earth = 3
  case mars = 4
  static func makePrimaryValue() -> Planet? { .earth }
}

private struct ByCode: MagicObject {
  @PrimaryMagicValue var code: Code
  init() {}
}

private struct ByPlanet: MagicObject {
  @PrimaryMagicValue var planet: Planet
  init() {}
}

@Suite struct PrimaryTests {
  @Test func aTextIsARandomUUIDAndDoesNotChange() throws {
    let object = ByText()
    let id = object.id
    #expect(UUID(uuidString: id)?.uuidString == id)
    #expect(object.id == id)
    let copy = object
    #expect(copy.id == id)
    #expect(ByText().id != id)
  }

  @Test func aUUIDIsRandomAndDoesNotChange() {
    let object = ByUUID()
    #expect(object.id == object.id)
    #expect(object.id != ByUUID().id)
  }

  @Test func aDefaultIsCreatedOnceForConcurrentReads() async {
    for _ in 0..<20 {
      let object = ByText()
      let ids = await withTaskGroup(of: String.self) { group in
        for _ in 0..<16 { group.addTask { object.id } }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
    }
  }

  @Test func anIntegerReadsZeroUntilItIsAssigned() throws {
    let object = ByNumber()
    #expect(object.id == 0)
    #expect(object.$id.reference.load(Int.self) == nil)
    object.id = 7
    #expect(object.id == 7)
    #expect(try ObjectSchema.of(ByNumber.self).columns[0].isAssignedByStore)
    #expect(try !ObjectSchema.of(ByText.self).columns[0].isAssignedByStore)
  }

  @Test func aValueThatIsSetIsKept() {
    let object = ByText()
    object.id = "mine"
    #expect(object.id == "mine")
    #expect(ByDefault().id == "fixed")
  }

  @Test func aCustomTypeMayHaveADefaultOrNone() {
    #expect(ByPlanet().planet == .earth)
    let object = ByCode()
    object.code = Code(text: "x")
    #expect(object.code == Code(text: "x"))
  }

  @Test func assigningTheDefaultKeepsAnExistingValue() throws {
    let object = ByText()
    let column = try ObjectSchema.of(ByText.self).columns[0]
    column.assignDefault(object.$id.reference)
    let id = try #require(object.$id.reference.load(String.self))
    column.assignDefault(object.$id.reference)
    #expect(object.id == id)
  }

  @Test func theSchemaHasThePrimary() throws {
    let schema = try ObjectSchema.of(ByDefault.self)
    #expect(schema.primary == 0)
    #expect(schema.columns[0].name == "key")
    #expect(schema.columns[0].role == .primary)
    #expect(schema.columns[0].isUnique)
    #expect(schema.indexes.map(\.columns) == [["key"]])
    #expect(schema.indexes.map(\.isUnique) == [true])
  }
}
