import MagicData
import Workloads

extension MagicDataEngine {
  func fetchTeamsAlone() -> Job {
    { run in
      let teams = try await magic.object(of: LazyTeam.self)
      defer { run.keep(teams) }
      var checksum = Checksum()
      for team in teams { checksum.add(id: team.id, name: team.name, founded: team.founded) }
      return checksum
    }
  }

  func streamMembers() -> Job {
    { _ in
      var checksum = Checksum()
      var place = 0
      for team in try await magic.object(of: LazyTeam.self) {
        for try await member in try team.members.createAsyncStream() {
          place += 1
          checksum.add(
            place: place, id: member.id, name: member.name, age: member.age,
            height: member.height, nickname: member.nickname)
        }
      }
      return checksum
    }
  }
}
