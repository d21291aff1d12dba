internal import GRDB
internal import Workloads

extension GRDBSQL {
  func insert(_ teams: [PlainTeam]) -> Job {
    { _ in
      try await pool.write { db in
        let teamStatement = try db.cachedStatement(
          sql: "INSERT INTO team (id, name, founded) VALUES (?, ?, ?)")
        let memberStatement = try db.cachedStatement(
          sql: "INSERT INTO member (id, name, age, height, nickname) VALUES (?, ?, ?, ?, ?)")
        let linkStatement = try db.cachedStatement(
          sql: "INSERT INTO link (owner, position, target) VALUES (?, ?, ?)")
        for team in teams {
          try teamStatement.execute(arguments: [team.id, team.name, team.founded])
          let owner = db.lastInsertedRowID
          for (position, member) in team.members.enumerated() {
            try memberStatement.execute(arguments: [
              member.id, member.name, member.age, member.height, member.nickname,
            ])
            try linkStatement.execute(arguments: [owner, position, db.lastInsertedRowID])
          }
        }
      }
      return Checksum()
    }
  }

  /// Three scans and an array by row ID, like the twin.
  func fetchTeams() -> Job {
    { run in
      let teams = try await pool.read { db in
        var (teams, owners) = try Self.teams(db)
        let (members, places) = try Self.members(db)
        let links = try Row.fetchCursor(
          db.cachedStatement(sql: "SELECT owner, target FROM link ORDER BY owner, position"))
        var next = 0
        var targets: [Int32] = []
        while let link = try links.next() {
          let owner: Int64 = link[0]
          if owners[next] != owner {
            teams[next].members = targets.map { members[Int($0)] }
            targets.removeAll(keepingCapacity: true)
            repeat { next += 1 } while owners[next] != owner
          }
          targets.append(places[link[1]])
        }
        if !targets.isEmpty { teams[next].members = targets.map { members[Int($0)] } }
        return teams
      }
      run.keep(teams)
      var checksum = Checksum()
      for team in teams {
        checksum.add(team)
        for (place, member) in team.members.enumerated() { checksum.add(member, at: place + 1) }
      }
      return checksum
    }
  }

  func fetchTeamsAlone() -> Job {
    { run in
      let teams = try await pool.read { db in try Self.teams(db).teams }
      run.keep(teams)
      var checksum = Checksum()
      for team in teams { checksum.add(team) }
      return checksum
    }
  }

  func lookUpTeams(ofMembers ids: [String]) async throws -> Job {
    let keys = try await pool.read { db in
      try ids.map { id in
        try Int64.fetchOne(db, sql: "SELECT z_index FROM member WHERE id = ?", arguments: [id])
      }
    }
    return { run in
      var checksum = Checksum()
      for key in keys {
        let start = run.begin()
        let teams = try await pool.read { db in try Self.teams(db, ofMember: key) }
        for team in teams {
          checksum.add(team.founded)
          for member in team.members { checksum.add(member.age) }
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
        let statement = try db.cachedStatement(sql: Self.membersOfTeam)
        for owner in try Self.teams(db).owners {
          let rows = try Row.fetchCursor(statement, arguments: [owner])
          while let row = try rows.next() {
            place += 1
            checksum.add(PlainMember(row), at: place)
          }
        }
        return checksum
      }
    }
  }

  private static let membersOfTeam = """
    SELECT member.z_index, id, name, age, height, nickname
    FROM link JOIN member ON member.z_index = target WHERE owner = ? ORDER BY position
    """

  /// One statement for the teams, and one for the members of each.
  private static func teams(_ db: Database, ofMember key: Int64?) throws -> [PlainTeam] {
    let teamsStatement = try db.cachedStatement(
      sql: """
        SELECT team.z_index, id, name, founded FROM link JOIN team ON team.z_index = owner
        WHERE target = ? ORDER BY owner
        """)
    let membersStatement = try db.cachedStatement(sql: membersOfTeam)
    var teams: [PlainTeam] = []
    var last: Int64?
    let rows = try Row.fetchCursor(teamsStatement, arguments: [key])
    while let row = try rows.next() {
      let owner: Int64 = row[0]
      // A team that contains the member twice is fetched once.
      if owner == last { continue }
      last = owner
      var team = PlainTeam(row)
      let members = try Row.fetchCursor(membersStatement, arguments: [owner])
      while let row = try members.next() { team.members.append(PlainMember(row)) }
      teams.append(team)
    }
    return teams
  }

  /// Every team without its members, and its row ID at the same index.
  private static func teams(_ db: Database) throws -> (teams: [PlainTeam], owners: [Int64]) {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT z_index, id, name, founded FROM team ORDER BY z_index"))
    var teams: [PlainTeam] = []
    var owners: [Int64] = []
    while let row = try rows.next() {
      owners.append(row[0])
      teams.append(PlainTeam(row))
    }
    return (teams, owners)
  }

  /// Every member, and the index of each member by row ID.
  private static func members(_ db: Database) throws -> ([PlainMember], [Int32]) {
    let last = try Int.fetchOne(db, sql: "SELECT max(z_index) FROM member") ?? 0
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT z_index, id, name, age, height, nickname FROM member ORDER BY z_index"))
    var members: [PlainMember] = []
    members.reserveCapacity(last)
    var places = [Int32](repeating: -1, count: last + 1)
    while let row = try rows.next() {
      let zIndex: Int = row[0]
      places[zIndex] = Int32(members.count)
      members.append(PlainMember(row))
    }
    return (members, places)
  }
}

extension PlainTeam {
  fileprivate init(_ row: Row) {
    self.init(id: row[1], name: row[2], founded: row[3], members: [])
  }
}

extension PlainMember {
  fileprivate init(_ row: Row) {
    self.init(id: row[1], name: row[2], age: row[3], height: row[4], nickname: row[5])
  }
}

extension Checksum {
  fileprivate mutating func add(_ team: PlainTeam) {
    add(id: team.id, name: team.name, founded: team.founded)
  }

  fileprivate mutating func add(_ member: PlainMember, at place: Int) {
    add(
      place: place, id: member.id, name: member.name, age: member.age, height: member.height,
      nickname: member.nickname)
  }
}
