internal import GRDB
internal import Workloads

extension RecordEngine {
  func insert(_ teams: [PlainTeam]) -> Job {
    let records = teams.map { (team: Team($0), members: $0.members.map(Member.init)) }
    return { _ in
      try await pool.write { db in
        for (team, members) in records {
          var team = team
          try team.insert(db)
          for (position, member) in members.enumerated() {
            var member = member
            try member.insert(db)
            guard let owner = team.zIndex, let target = member.zIndex else { continue }
            try Link(owner: owner, position: position, target: target).insert(db)
          }
        }
      }
      return Checksum()
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/Documentation/AssociationsBasics.md#includingall
  func fetchTeams() -> Job {
    { run in
      let teams = try await pool.read { db in
        try Team.orderByPrimaryKey().including(all: Team.members).asRequest(of: FullTeam.self)
          .fetchAll(db)
      }
      run.keep(teams)
      var checksum = Checksum()
      for full in teams {
        checksum.add(full.team)
        for (place, member) in full.members.enumerated() { checksum.add(member, at: place + 1) }
      }
      return checksum
    }
  }

  func fetchTeamsAlone() -> Job {
    { run in
      let teams = try await pool.read { db in try Team.fetchAll(db) }
      run.keep(teams)
      var checksum = Checksum()
      for team in teams { checksum.add(team) }
      return checksum
    }
  }

  func lookUpTeams(ofMembers ids: [String]) async throws -> Job {
    let members = try await pool.read { db in
      try ids.map { try Member.find(db, key: ["id": $0]) }
    }
    return { run in
      var checksum = Checksum()
      for member in members {
        let start = run.begin()
        let teams = try await pool.read { db in
          try member.request(for: Member.fullTeams).asRequest(of: FullTeam.self).fetchAll(db)
        }
        for full in teams {
          checksum.add(full.team.founded)
          for member in full.members { checksum.add(member.age) }
        }
        run.end(start)
      }
      return checksum
    }
  }

  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/README.md#cursors
  func streamMembers() -> Job {
    { _ in
      try await pool.read { db in
        var checksum = Checksum()
        var place = 0
        for team in try Team.orderByPrimaryKey().fetchAll(db) {
          let members = try team.request(for: Team.members).fetchCursor(db)
          while let member = try members.next() {
            place += 1
            checksum.add(member, at: place)
          }
        }
        return checksum
      }
    }
  }
}

extension Checksum {
  fileprivate mutating func add(_ team: some TeamRecord) {
    add(id: team.id, name: team.name, founded: team.founded)
  }

  fileprivate mutating func add(_ member: some MemberRecord, at place: Int) {
    add(
      place: place, id: member.id, name: member.name, age: member.age, height: member.height,
      nickname: member.nickname)
  }
}
