extension Workload {
  static let teams = [
    Workload("W7s", "insert teams of ten in one transaction", start: .new) { count in
      let teams = PlainTeam.make(count / PlainTeam.size)
      return Steps(
        measured: .insertTeams(teams), check: .fetchTeams,
        operations: teams.count * (1 + PlainTeam.size))
    },
    Workload(
      "W7e", "fetch all teams with their members, every value read", target: 1.4
    ) { count in
      let teams = PlainTeam.make(count / PlainTeam.size)
      return Steps(
        before: [.insertTeams(teams)], measured: .fetchTeams,
        operations: teams.count * (1 + PlainTeam.size))
    },
    Workload(
      "W7r", "awaited lookups of a member's teams", target: 1.5, isOfSingleOperations: true
    ) { count in
      let teams = PlainTeam.make(count / PlainTeam.size)
      return Steps(
        before: [.insertTeams(teams)],
        measured: .lookUpTeams(ofMembers: Sample.ids(teams.count, ofMembersOf: teams)),
        operations: teams.count)
    },
  ]

  static let lazy = [
    Workload("L1", "fetch all teams with lazy members, every value read") { count in
      let teams = PlainTeam.make(count / PlainTeam.size)
      return Steps(
        before: [.insertTeams(teams)], measured: .fetchTeamsAlone, operations: teams.count)
    },
    Workload("L2", "stream the members of one team, every value read") { count in
      Steps(
        before: [.insertTeams(PlainTeam.make(1, size: count))], measured: .streamMembers,
        operations: count)
    },
  ]
}
