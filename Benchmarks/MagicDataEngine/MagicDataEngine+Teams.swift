import MagicData
import Workloads

extension MagicDataEngine {
  func insertTeams(_ teams: [PlainTeam]) -> Job {
    let teams = teams.map(Team.init)
    return { _ in
      try await magic.update(contentsOf: teams)
      return Checksum()
    }
  }

  func fetchTeams() -> Job {
    { run in
      let teams = try await magic.object(of: Team.self)
      defer { run.keep(teams) }
      var checksum = Checksum()
      for team in teams {
        checksum.add(id: team.id, name: team.name, founded: team.founded)
        var place = 0
        for member in team.members {
          place += 1
          checksum.add(
            place: place, id: member.id, name: member.name, age: member.age,
            height: member.height, nickname: member.nickname)
        }
      }
      return checksum
    }
  }

  func lookUpTeams(ofMembers ids: [String]) async throws -> Job {
    let members = try await members(ids)
    return { run in
      var checksum = Checksum()
      for member in members {
        let start = run.begin()
        for try await team in member.teams {
          checksum.add(team.founded)
          for member in team.members { checksum.add(member.age) }
        }
        run.end(start)
      }
      return checksum
    }
  }

  private func members(_ ids: [String]) async throws -> [Member] {
    var members: [Member] = []
    for id in ids { members.append(try await magic.object(of: Member.self, primary: id)) }
    return members
  }
}
