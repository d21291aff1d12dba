/// What a workload saves and reads, made once for both engines.
struct Sample: Sendable {
  var people: [PlainPerson] = []
  var teams: [PlainTeam] = []
  var archive = PlainArchive()
  var photos: [PlainPhoto] = []

  /// So many primary values, of people, of members in teams or of packages, the same ones every
  /// time.
  func randomIDs(_ count: Int) -> [String] {
    var random = SplitMix(state: 7)
    return (0..<count).compactMap { _ in
      people.randomElement(using: &random)?.id
        ?? archive.packages.randomElement(using: &random)?.id
        ?? teams.randomElement(using: &random)?.members.randomElement(using: &random)?.id
    }
  }
}
