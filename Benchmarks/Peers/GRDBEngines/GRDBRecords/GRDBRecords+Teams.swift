internal import GRDB
internal import Workloads

/// Associations are declared as in the guide, ordered by the position in the team. Keys are
/// explicit: GRDB would create them with regular expressions for each request.
///
/// https://github.com/groue/GRDB.swift/blob/v7.10.0/Documentation/AssociationsBasics.md#ordered-associations
extension GRDBRecords {
  struct Team: TeamRecord {
    static let databaseTableName = "team"

    var zIndex: Int64?
    var id: String
    var name: String
    var founded: Int

    static let links = hasMany(Link.self, key: "links").order(\.position)
    static let members: HasManyThroughAssociation<Team, Member> = hasMany(
      Member.self, through: links, using: Link.member, key: "members")

    static var databaseSelection: [any SQLSelectable] {
      [Column("z_index"), Column("id"), Column("name"), Column("founded")]
    }

    init(row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      founded = row[3]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["id"] = id
      container["name"] = name
      container["founded"] = founded
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }

    init(_ team: PlainTeam) {
      id = team.id
      name = team.name
      founded = team.founded
    }
  }

  struct Member: MemberRecord {
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

    static var databaseSelection: [any SQLSelectable] {
      [
        Column("z_index"), Column("id"), Column("name"), Column("age"), Column("height"),
        Column("nickname"),
      ]
    }

    init(row: Row) {
      zIndex = row[0]
      id = row[1]
      name = row[2]
      age = row[3]
      height = row[4]
      nickname = row[5]
    }

    func encode(to container: inout PersistenceContainer) {
      container["z_index"] = zIndex
      container["id"] = id
      container["name"] = name
      container["age"] = age
      container["height"] = height
      container["nickname"] = nickname
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { zIndex = inserted.rowID }

    init(_ member: PlainMember) {
      id = member.id
      name = member.name
      age = member.age
      height = member.height
      nickname = member.nickname
    }
  }

  /// A row of the join table of teams and members, with the position.
  struct Link: LinkRecord {
    static let databaseTableName = "link"

    var owner: Int64
    var position: Int
    var target: Int64

    static let team = belongsTo(Team.self, key: "team")
    static let member = belongsTo(Member.self, key: "member")

    enum Columns {
      static let position = Column("position")
    }

    func encode(to container: inout PersistenceContainer) {
      container["owner"] = owner
      container["position"] = position
      container["target"] = target
    }
  }

  /// A team with its members.
  ///
  /// https://github.com/groue/GRDB.swift/blob/v7.10.0/Documentation/AssociationsBasics.md#decoding-a-joined-request-with-fetchablerecord
  struct FullTeam: FullTeamRecord {
    var team: Team
    var members: [Member]

    init(row: Row) throws {
      team = Team(row: row)
      members = try row.decode(forKey: "members")
    }
  }
}
