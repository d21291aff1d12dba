import MagicData
import Workloads

/// An object with a relationship to many others.
struct Team: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var founded: Int
  @MagicValue var members: [Member]

  init() {}

  init(_ team: PlainTeam) {
    id = team.id
    name = team.name
    founded = team.founded
    members = team.members.map(Member.init)
  }
}

/// An object with an inverse relationship to its teams.
struct Member: MagicObject {
  @PrimaryMagicValue var id: String
  @MagicValue var name: String
  @MagicValue var age: Int
  @MagicValue var height: Double
  @OptionMagicValue var nickname: String?
  @ReverseMagicValue(\Team.$members) var teams: AsyncReverseMagicSet<Team>

  init() {}

  init(_ member: PlainMember) {
    id = member.id
    name = member.name
    age = member.age
    height = member.height
    nickname = member.nickname
  }
}
