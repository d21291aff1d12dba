import MagicData
import Workloads

/// The object that the workloads without relationships store.
struct Person: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int
  @MagicValue var height: Double
  @OptionMagicValue var nickname: String?
  @MagicValue var photo: [UInt8]

  init() {}

  init(_ person: PlainPerson) {
    id = person.id
    name = person.name
    age = person.age
    height = person.height
    nickname = person.nickname
    photo = Array(person.photo)
  }
}
