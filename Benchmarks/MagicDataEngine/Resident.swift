import MagicData
import Workloads

/// A person whose age has an index.
struct Resident: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue(.indexed) var age: Int
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
