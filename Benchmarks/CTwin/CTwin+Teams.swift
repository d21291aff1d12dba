import CMagicSQLite
import Workloads

/// Teams by hand. Each loop is the fastest of those that were measured, also if the join rows refer
/// to members in a random order.
extension CTwin {
  static let teamTables = """
    CREATE TABLE team (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      founded INTEGER NOT NULL);
    CREATE UNIQUE INDEX team_id ON team (id);
    CREATE TABLE member (z_index INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL,
      age INTEGER NOT NULL, height NOT NULL, nickname TEXT);
    CREATE UNIQUE INDEX member_id ON member (id);
    \(joinTable("link", from: "team", by: "position INTEGER", to: "member"))
    """

  /// Returns the SQL of a join table, with an index of its members.
  ///
  /// - Parameter key: the name and the type of the column that distinguishes the members of an owner.
  static func joinTable(
    _ name: String, from owner: String, by key: String, to target: String
  ) -> String {
    """
    CREATE TABLE \(name) (
      owner INTEGER NOT NULL REFERENCES \(owner) (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      \(key) NOT NULL,
      target INTEGER NOT NULL REFERENCES \(target) (z_index)
        ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      PRIMARY KEY (owner, \(key.prefix { $0 != " " }))) WITHOUT ROWID;
    CREATE INDEX \(name)_target ON \(name) (target, owner)
    """
  }

  func insertTeams(_ teams: [PlainTeam]) throws {
    try execute("BEGIN IMMEDIATE")
    let teamStatement = try prepare("INSERT INTO team (id, name, founded) VALUES (?, ?, ?)")
    let memberStatement = try prepare(
      "INSERT INTO member (id, name, age, height, nickname) VALUES (?, ?, ?, ?, ?)")
    defer { for each in [teamStatement, memberStatement] { sqlite3_finalize(each) } }
    var links: [Link] = []
    for team in teams {
      let owner = try insert(team, teamStatement)
      for (position, member) in team.members.enumerated() {
        let target = try insert(member, memberStatement)
        links.append(Link(owner: owner, position: Int64(position), target: target))
      }
    }
    try insert(links)
    try execute("COMMIT")
  }

  /// Three scans and an array by row ID. A join is as fast if members are in the order of their
  /// teams, and takes half as long again otherwise.
  func fetchTeams(_ run: Run) throws -> Checksum {
    var (teams, owners) = try teams()
    let (members, places) = try members()
    let statement = try prepare("SELECT owner, target FROM link ORDER BY owner, position")
    defer { sqlite3_finalize(statement) }
    var next = 0
    // Reserving the array, instead of growing it, saves a fifth if members are in a random order.
    var targets: [Int32] = []
    while try step(statement) {
      let owner = sqlite3_column_int64(statement, 0)
      if owners[next] != owner {
        teams[next].members = targets.map { members[Int($0)] }
        targets.removeAll(keepingCapacity: true)
        repeat { next += 1 } while owners[next] != owner
      }
      targets.append(places[Int(sqlite3_column_int64(statement, 1))])
    }
    if !targets.isEmpty { teams[next].members = targets.map { members[Int($0)] } }
    defer { run.keep(teams) }

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

  func members(_ ids: [String]) throws -> [Int64] {
    let statement = try prepare("SELECT z_index FROM member WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    return try ids.map { try zIndex(of: $0, statement) }
  }

  /// One join for the teams, and one for each team's members: a single join would copy the team for
  /// each of its members.
  func lookUpTeams(of members: [Int64], _ run: Run) throws -> Checksum {
    let teamsStatement = try prepare(
      """
      SELECT team.z_index, id, name, founded FROM link JOIN team ON team.z_index = owner
      WHERE target = ? ORDER BY owner
      """)
    let membersStatement = try prepare(
      """
      SELECT member.z_index, id, name, age, height, nickname
      FROM link JOIN member ON member.z_index = target WHERE owner = ? ORDER BY position
      """)
    defer { for each in [teamsStatement, membersStatement] { sqlite3_finalize(each) } }
    var checksum = Checksum()
    var found: [PlainMember] = []
    for member in members {
      let start = run.begin()
      var teams: [PlainTeam] = []
      var last: Int64?
      sqlite3_bind_int64(teamsStatement, 1, member)
      while try step(teamsStatement) {
        let owner = sqlite3_column_int64(teamsStatement, 0)
        // A team that contains the member twice is fetched once.
        if owner == last { continue }
        last = owner
        var team = team(teamsStatement)
        sqlite3_bind_int64(membersStatement, 1, owner)
        while try step(membersStatement) { found.append(self.member(membersStatement)) }
        sqlite3_reset(membersStatement)
        team.members = Array(found)
        found.removeAll(keepingCapacity: true)
        teams.append(team)
      }
      sqlite3_reset(teamsStatement)
      for team in teams {
        checksum.add(team.founded)
        for member in team.members { checksum.add(member.age) }
      }
      run.end(start)
    }
    return checksum
  }

  private struct Link {
    let owner: Int64
    let position: Int64
    let target: Int64
  }

  /// Inserts fifty rows per statement: for such small rows, starting a statement costs more than a
  /// row.
  private func insert(_ links: [Link]) throws {
    let start = "INSERT INTO link (owner, position, target) VALUES (?, ?, ?)"
    let batch = 50
    let many = try prepare(start + String(repeating: ", (?, ?, ?)", count: batch - 1))
    let one = try prepare(start)
    defer { for each in [many, one] { sqlite3_finalize(each) } }
    let batched = links.count / batch * batch
    var parameter: Int32 = 0
    for (index, link) in links.enumerated() {
      let statement = index < batched ? many : one
      sqlite3_bind_int64(statement, parameter + 1, link.owner)
      sqlite3_bind_int64(statement, parameter + 2, link.position)
      sqlite3_bind_int64(statement, parameter + 3, link.target)
      parameter += 3
      if index >= batched || parameter == 3 * Int32(batch) {
        try finish(statement)
        parameter = 0
      }
    }
  }

  @inline(__always)
  private func insert(_ team: PlainTeam, _ statement: OpaquePointer) throws -> Int64 {
    var id = team.id
    var name = team.name
    try id.withUTF8 { id in
      try name.withUTF8 { name in
        bind(id, statement, 1)
        bind(name, statement, 2)
        sqlite3_bind_int64(statement, 3, Int64(team.founded))
        try finish(statement)
      }
    }
    return sqlite3_last_insert_rowid(database)
  }

  @inline(__always)
  private func insert(_ member: PlainMember, _ statement: OpaquePointer) throws -> Int64 {
    var id = member.id
    var name = member.name
    var nickname = member.nickname ?? ""
    try id.withUTF8 { id in
      try name.withUTF8 { name in
        try nickname.withUTF8 { nickname in
          bind(id, statement, 1)
          bind(name, statement, 2)
          sqlite3_bind_int64(statement, 3, Int64(member.age))
          sqlite3_bind_double(statement, 4, member.height)
          if member.nickname == nil {
            sqlite3_bind_null(statement, 5)
          } else {
            bind(nickname, statement, 5)
          }
          try finish(statement)
        }
      }
    }
    return sqlite3_last_insert_rowid(database)
  }

  /// Every team without its members, and its row ID at the same index.
  func teams() throws -> ([PlainTeam], [Int64]) {
    let statement = try prepare("SELECT z_index, id, name, founded FROM team ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    let last = try lastZIndex("team")
    var teams: [PlainTeam] = []
    teams.reserveCapacity(last)
    var owners: [Int64] = []
    owners.reserveCapacity(last)
    while try step(statement) {
      owners.append(sqlite3_column_int64(statement, 0))
      teams.append(team(statement))
    }
    return (teams, owners)
  }

  /// Every member, and the index of each member by row ID.
  private func members() throws -> ([PlainMember], [Int32]) {
    let statement = try prepare(
      "SELECT z_index, id, name, age, height, nickname FROM member ORDER BY z_index")
    defer { sqlite3_finalize(statement) }
    let last = try lastZIndex("member")
    var members: [PlainMember] = []
    members.reserveCapacity(last)
    var places = [Int32](repeating: -1, count: last + 1)
    while try step(statement) {
      places[Int(sqlite3_column_int64(statement, 0))] = Int32(members.count)
      members.append(member(statement))
    }
    return (members, places)
  }

  private func lastZIndex(_ table: String) throws -> Int {
    let statement = try prepare("SELECT max(z_index) FROM \(table)")
    defer { sqlite3_finalize(statement) }
    return try step(statement) ? Int(sqlite3_column_int64(statement, 0)) : 0
  }

  @inline(__always)
  private func team(_ statement: OpaquePointer) -> PlainTeam {
    PlainTeam(
      id: text(statement, 1),
      name: text(statement, 2),
      founded: Int(sqlite3_column_int64(statement, 3)),
      members: [])
  }

  @inline(__always)
  func member(_ statement: OpaquePointer) -> PlainMember {
    PlainMember(
      id: text(statement, 1),
      name: text(statement, 2),
      age: Int(sqlite3_column_int64(statement, 3)),
      height: sqlite3_column_double(statement, 4),
      nickname: sqlite3_column_type(statement, 5) == SQLITE_NULL ? nil : text(statement, 5))
  }
}
