import MagicSchema
import Magical
import Testing

private struct Person: MagicObject {
  @MagicValue var name: String
  @MagicValue(.indexed) var age: Int = 3
  @MagicValue var tags: [String] = ["new"]
  @OptionMagicValue var petName: String?
  @OptionMagicValue(.named("height")) var size: Double? = 1.5
  @OptionMagicValue(.unique) var email: String?
  var note = "plain"
  var greeting: String { "Hello, \(name)" }

  init() {}
  init(name: String) { self.name = name }
}

private final class Account: MagicObject, @unchecked Sendable {
  @MagicValue var owner: String = "nobody"
  @MagicValue var balance: Int = 0
  var note = "plain"

  init() {}
}

@Suite struct WrapperTests {
  @Test func defaultsExistFromTheStart() {
    let person = Person()
    #expect(person.age == 3)
    #expect(person.tags == ["new"])
    #expect(person.size == 1.5)
  }

  @Test func anOptionalPropertyIsNilUntilItIsSet() {
    let person = Person()
    #expect(person.petName == nil)
    #expect(person.email == nil)
    person.petName = "Mao"
    #expect(person.petName == "Mao")
    person.petName = nil
    #expect(person.petName == nil)
    person.size = nil
    #expect(person.size == nil)
  }

  @Test func aPropertyWithoutADefaultCanBeSetLater() {
    let person = Person()
    person.name = "Ada"
    #expect(person.name == "Ada")
    #expect(person.greeting == "Hello, Ada")
  }

  @Test func valuesAreSetOnAConstant() {
    let person = Person(name: "Ada")
    person.age = 36
    person.tags.append("poet")
    #expect(person.age == 36)
    #expect(person.tags == ["new", "poet"])
  }

  @Test func copiesShareTheirValues() {
    let person = Person(name: "Ada")
    let copy = person
    copy.name = "Grace"
    copy.petName = "Mao"
    #expect(person.name == "Grace")
    #expect(person.petName == "Mao")
    person.age += 1
    #expect(copy.age == 4)
  }

  @Test func copiesDoNotShareUnstoredProperties() {
    let person = Person(name: "Ada")
    var copy = person
    copy.note = "changed"
    #expect(person.note == "plain")
  }

  @Test func aClassSharesItsUnstoredPropertiesToo() {
    let account = Account()
    let copy = account
    copy.note = "changed"
    copy.balance = 7
    #expect(account.note == "changed")
    #expect(account.balance == 7)
  }

  @Test func twoObjectsShareNothing() {
    let first = Person(name: "Ada")
    let second = Person(name: "Ada")
    first.name = "Grace"
    first.tags.append("poet")
    #expect(second.name == "Ada")
    #expect(second.tags == ["new"])
    let account = Account()
    account.balance = 5
    #expect(Account().balance == 0)
  }

  @Test func aValueSetInInitIsStored() {
    #expect(Person(name: "").name == "")
  }

  @Test func aKeyPathAccessesThePropertyItself() {
    let person = Person(name: "Ada")
    #expect(person.$name.reference.storage === person[keyPath: \.$name].reference.storage)
    #expect(person.$name.reference.storage !== person.$age.reference.storage)
  }
}
