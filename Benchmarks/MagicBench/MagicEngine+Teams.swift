import MagicData

extension MagicEngine {
  static func teamRecords(of teams: [PlainTeam]) -> [Team] { teams.map(Team.init) }

  func insertTeams(_ records: [Team]) async throws {
    try await magic.update(contentsOf: records)
  }

  func fetchTeams() async throws -> Checksum {
    let teams = try await magic.object(of: Team.self)
    var checksum = Checksum()
    for team in teams {
      checksum.add(id: team.id, name: team.name, founded: team.founded)
      var place = 0
      for member in team.members {
        place += 1
        checksum.add(
          place: place, id: member.id, name: member.name, age: member.age, height: member.height,
          nickname: member.nickname)
      }
    }
    return checksum
  }

  func members(_ ids: [String]) async throws -> [Member] {
    var members: [Member] = []
    for id in ids { members.append(try await magic.object(of: Member.self, primary: id)) }
    return members
  }

  func lookUpTeams(of members: [Member]) async throws -> Checksum {
    var checksum = Checksum()
    for member in members {
      for try await team in member.teams {
        checksum.add(team.founded)
        for member in team.members { checksum.add(member.age) }
      }
    }
    return checksum
  }
}
