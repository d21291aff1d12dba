internal import GRDB
internal import Workloads

/// Associations are declared as in the guide, ordered by the position in the team. Keys are
/// explicit: GRDB would create them with regular expressions for each request.
///
/// https://github.com/groue/GRDB.swift/blob/v7.10.0/Documentation/AssociationsBasics.md#ordered-associations
extension GRDBCodable {
  struct Team: Codable, TeamRecord {
    static let databaseTableName = "team"

    var zIndex: Int64?
    var id: String
    var name: String
    var founded: Int

    static let links = hasMany(Link.self, key: "links").order(\.position)
    static let members: HasManyThroughAssociation<Team, Member> = hasMany(
      Member.self, through: links, using: Link.member, key: "members")

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case id, name, founded
    }

    init(_ team: PlainTeam) {
      id = team.id
      name = team.name
      founded = team.founded
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }
  }

  struct Member: Codable, MemberRecord {
    static let databaseTableName = "member"

    var zIndex: Int64?
    var id: String
    var name: String
    var age: Int
    var height: Double
    var nickname: String?

    static let links = hasMany(Link.self, key: "links")
    static let teams = hasMany(Team.self, through: links, using: Link.team, key: "teams")
    static let fullTeams: HasManyThroughAssociation<Member, Team> = teams.including(
      all: Team.members)

    enum CodingKeys: String, CodingKey {
      case zIndex = "z_index"
      case id, name, age, height, nickname
    }

    init(_ member: PlainMember) {
      id = member.id
      name = member.name
      age = member.age
      height = member.height
      nickname = member.nickname
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }
  }

  /// A row of the join table of teams and members, with the position.
  struct Link: Codable, LinkRecord {
    static let databaseTableName = "link"

    var owner: Int64
    var position: Int
    var target: Int64

    static let team = belongsTo(Team.self, key: "team")
    static let member = belongsTo(Member.self, key: "member")

    enum Columns {
      static let position = Column(CodingKeys.position)
    }
  }

  /// A team with its members.
  struct FullTeam: Decodable, FullTeamRecord {
    var team: Team
    var members: [Member]
  }
}
