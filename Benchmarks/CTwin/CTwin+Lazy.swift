import CMagicSQLite
import Workloads

/// Owners without their members, and members one at a time.
extension CTwin {
  func fetchTeamsAlone(_ run: Run) throws -> Checksum {
    var checksum = Checksum()
    let teams = try teams().0
    defer { run.keep(teams) }
    for team in teams { checksum.add(id: team.id, name: team.name, founded: team.founded) }
    return checksum
  }

  /// One join for all members of a team, without other calls between two members.
  func streamMembers() throws -> Checksum {
    let statement = try prepare(
      """
      SELECT member.z_index, id, name, age, height, nickname
      FROM link JOIN member ON member.z_index = target WHERE owner = ? ORDER BY position
      """)
    defer { sqlite3_finalize(statement) }
    var checksum = Checksum()
    var place = 0
    for owner in try teams().1 {
      sqlite3_bind_int64(statement, 1, owner)
      while try step(statement) {
        let member = member(statement)
        place += 1
        checksum.add(
          place: place, id: member.id, name: member.name, age: member.age, height: member.height,
          nickname: member.nickname)
      }
      sqlite3_reset(statement)
    }
    return checksum
  }
}
