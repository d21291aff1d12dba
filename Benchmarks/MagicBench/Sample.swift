/// What a workload saves and reads, made once for both engines.
struct Sample: Sendable {
  var people: [PlainPerson] = []
  var teams: [PlainTeam] = []

  /// So many primary values, of people or of members in teams, the same ones every time.
  func randomIDs(_ count: Int) -> [String] {
    var random = SplitMix(state: 7)
    return (0..<count).compactMap { _ in
      teams.isEmpty
        ? people.randomElement(using: &random)?.id
        : teams.randomElement(using: &random)?.members.randomElement(using: &random)?.id
    }
  }
}
