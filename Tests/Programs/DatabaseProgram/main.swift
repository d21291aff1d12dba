import MagicData

struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int = 0
  @OptionMagicValue var petName: String?

  init() {}

  init(name: String) {
    self.name = name
  }
}

let path = CommandLine.arguments[1]

let magic = try await MagicData(path: path)
let ada = Person(name: "Ada")
try await magic.update(ada)

let people = try await magic.object(of: Person.self)
print(people.count, people[0].name)  // 1 Ada

let again = try await magic.object(of: Person.self).where { $0.name == "Ada" }
print(again.isSameRow(as: ada))
await magic.close()
