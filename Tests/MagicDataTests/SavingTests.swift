import Foundation
import MagicData
import Testing

struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue(.indexed) var name: String
  @MagicValue var age: Int = 3
  @OptionMagicValue var school: Data?
  @OptionMagicValue var petName: String?
  @OptionMagicValue var height: Double?

  init() {}
  init(name: String) { self.name = name }
}

@Suite struct SavingTests {
  @Test func anObjectComesBackAsItWasSaved() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    ada.height = -0.0
    #expect(ada.zIndex == nil)
    let z = try await magic.update(ada)
    #expect(ada.zIndex == z)
    let all = try await magic.object(of: Person.self)
    #expect(all.count == 1)
    #expect(all[0].name == "Ada")
    #expect(all[0].age == 3)
    #expect(all[0].height?.sign == .minus)
    #expect(all[0].petName == nil)
    #expect(all[0].zIndex == z)
    let id = ada.id
    let again = try await magic.object(of: Person.self).where { $0.id == id }
    again.name = "Grace"
    again.petName = "Mao"
    #expect(ada.name == "Ada")
    try await magic.update(again)
    let third = try await magic.object(of: Person.self, primary: id)
    #expect(third.name == "Grace")
    #expect(third.petName == "Mao")
    let count = try await magic.object(of: Person.self).count
    #expect(count == 1)
    try await magic.remove(third)
    #expect(third.zIndex == nil)
    #expect(try await magic.has(of: Person.self, primary: id) == false)
  }
}
