/// The choice of stored objects to look up, always the same.
public enum Sample {
  /// The primaries of a number of people, some of them several times.
  public static func ids(_ count: Int, of people: [PlainPerson]) -> [String] {
    ids(count) { people.randomElement(using: &$0)?.id }
  }

  static func ids(_ count: Int, ofMembersOf teams: [PlainTeam]) -> [String] {
    ids(count) { teams.randomElement(using: &$0)?.members.randomElement(using: &$0)?.id }
  }

  static func ids(_ count: Int, of archive: PlainArchive) -> [String] {
    ids(count) { archive.packages.randomElement(using: &$0)?.id }
  }

  private static func ids(_ count: Int, _ next: (inout SplitMix) -> String?) -> [String] {
    var random = SplitMix(state: 7)
    return (0..<count).compactMap { _ in next(&random) }
  }
}
