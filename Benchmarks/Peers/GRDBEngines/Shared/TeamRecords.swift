internal import GRDB
internal import Workloads

/// A team without its members.
protocol TeamRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  associatedtype MemberOfTeam
  /// The members in their order.
  static var members: HasManyThroughAssociation<Self, MemberOfTeam> { get }

  /// The row ID; nil before the row is inserted.
  var zIndex: Int64? { get }
  var id: String { get }
  var name: String { get }
  var founded: Int { get }

  init(_ team: PlainTeam)
}

/// A member of teams.
protocol MemberRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  associatedtype TeamOfMember
  /// The teams of a member, each with its members.
  static var fullTeams: HasManyThroughAssociation<Self, TeamOfMember> { get }

  /// The row ID; nil before the row is inserted.
  var zIndex: Int64? { get }
  var id: String { get }
  var name: String { get }
  var age: Int { get }
  var height: Double { get }
  var nickname: String? { get }

  init(_ member: PlainMember)
}

/// A row of the join table of teams and members, with the position.
protocol LinkRecord: PersistableRecord, Sendable {
  init(owner: Int64, position: Int, target: Int64)
}

/// A team with its members.
protocol FullTeamRecord: FetchableRecord, Sendable {
  associatedtype Whole: TeamRecord
  associatedtype Part: MemberRecord
  var team: Whole { get }
  var members: [Part] { get }
}
