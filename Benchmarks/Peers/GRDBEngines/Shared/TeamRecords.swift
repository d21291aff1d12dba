internal import GRDB
internal import Workloads

/// A team without its members.
protocol TeamRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  associatedtype MemberOfTeam
  /// In their order.
  static var members: HasManyThroughAssociation<Self, MemberOfTeam> { get }

  /// Nil until it is inserted.
  var zIndex: Int64? { get }
  var id: String { get }
  var name: String { get }
  var founded: Int { get }

  init(_ team: PlainTeam)
}

/// Somebody who is in teams.
protocol MemberRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  associatedtype TeamOfMember
  /// Each with its members.
  static var fullTeams: HasManyThroughAssociation<Self, TeamOfMember> { get }

  /// Nil until it is inserted.
  var zIndex: Int64? { get }
  var id: String { get }
  var name: String { get }
  var age: Int { get }
  var height: Double { get }
  var nickname: String? { get }

  init(_ member: PlainMember)
}

/// Who is in which team, and where.
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
