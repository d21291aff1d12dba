/// One measured task, and what has to be there before it.
struct Workload: Sendable {
  let name: String
  let title: String
  let durability: Durability
  /// Whether the database holds its objects already, the same for every run.
  let isFilled: Bool
  let kind: Kind

  enum Kind: Sendable {
    case insert
    case saveOneByOne
    case saveAtOnce
    case fetchAll(readingValues: Bool)
    case lookUp
    case filter
    case changeAll
    case replaceAll
    case readBesideWriter(tasks: Int)
    case insertTeams
    case fetchTeams
    case lookUpTeams
    case insertPackages
    case fetchClosures
    case countDependents
    case lookUpDependents
    case fetchTeamsAlone
    case streamMembers
    case insertPhotos
    case savePhotosOneByOne
    case storeFilm
    case playFilm
    case rebuild
  }

  /// Whether each run begins with the people in a database that was closed.
  var changesPeople: Bool { if case .rebuild = kind { true } else { false } }

  /// The operations of one run, for a database of so many people, or members in teams of ten.
  func operations(_ count: Int) -> Int {
    switch kind {
    case .insert, .fetchAll, .rebuild: count
    case .saveOneByOne, .saveAtOnce: count / 50
    case .lookUp, .changeAll, .replaceAll: count / 2
    case .filter: 200
    case .readBesideWriter: count / 5
    case .insertTeams, .fetchTeams: teams(count) * (1 + PlainTeam.size)
    case .lookUpTeams: teams(count)
    case .insertPackages: packages(count)
    case .fetchClosures, .lookUpDependents: packages(count) / 100
    case .countDependents: packages(count) / 5
    case .fetchTeamsAlone: teams(count)
    case .streamMembers: count
    case .insertPhotos: count / 50
    case .savePhotosOneByOne: count / 200
    case .storeFilm, .playFilm: film(count).count
    }
  }

  /// The people and the teams that one run needs.
  func sample(_ count: Int) -> Sample {
    switch kind {
    case .insert, .fetchAll, .lookUp, .filter, .changeAll, .replaceAll, .readBesideWriter,
      .rebuild:
      Sample(people: PlainPerson.make(count))
    case .saveOneByOne, .saveAtOnce: Sample(people: PlainPerson.make(operations(count)))
    case .insertTeams, .fetchTeams, .lookUpTeams: Sample(teams: PlainTeam.make(teams(count)))
    case .insertPackages, .fetchClosures, .countDependents, .lookUpDependents:
      Sample(archive: PlainArchive.make(packages(count)))
    case .fetchTeamsAlone: Sample(teams: PlainTeam.make(teams(count)))
    case .streamMembers: Sample(teams: PlainTeam.make(1, size: count))
    case .insertPhotos, .savePhotosOneByOne:
      Sample(photos: PlainPhoto.make(operations(count)))
    case .storeFilm, .playFilm: Sample()
    }
  }

  /// A film of 256 MiB for 100,000 people.
  func film(_ count: Int) -> PlainFilm { PlainFilm(count: max(1, count * 1_024 / 100_000)) }

  /// Whether the people of the sample are stored before.
  var fillsPeople: Bool { if case .filter = kind { false } else { true } }

  /// The people that replace stored ones, a new value in each; nil where none are replaced.
  func replaces(_ sample: Sample) -> [PlainPerson]? {
    guard case .replaceAll = kind else { return nil }
    return sample.people.prefix(operations(sample.people.count)).map { person in
      var person = person
      person.age += 1
      return person
    }
  }

  private func teams(_ count: Int) -> Int { count / PlainTeam.size }

  private func packages(_ count: Int) -> Int { count * 6 / 10 }

  static let all = [
    Workload(
      name: "W1", title: "insert all in one transaction", durability: .normal, isFilled: false,
      kind: .insert),
    Workload(
      name: "W2", title: "durable saves one by one", durability: .full, isFilled: false,
      kind: .saveOneByOne),
    Workload(
      name: "W2c", title: "durable saves from 16 tasks at once", durability: .full,
      isFilled: false, kind: .saveAtOnce),
    Workload(
      name: "W3", title: "fetch all, every value read", durability: .normal, isFilled: true,
      kind: .fetchAll(readingValues: true)),
    Workload(
      name: "W3u", title: "fetch all, no value read", durability: .normal, isFilled: true,
      kind: .fetchAll(readingValues: false)),
    Workload(
      name: "W4", title: "awaited lookups by primary", durability: .normal, isFilled: true,
      kind: .lookUp),
    Workload(
      name: "W5", title: "awaited filters by an indexed property, 1,111 of 100,000 each",
      durability: .normal, isFilled: true, kind: .filter),
    Workload(
      name: "W6", title: "save fetched objects of which one value was changed, in one transaction",
      durability: .normal, isFilled: true, kind: .changeAll),
    Workload(
      name: "W6n", title: "save new objects under taken primaries, in one transaction",
      durability: .normal, isFilled: true, kind: .replaceAll),
    Workload(
      name: "R1", title: "awaited lookups beside a writer, 1 task", durability: .normal,
      isFilled: true, kind: .readBesideWriter(tasks: 1)),
    Workload(
      name: "R2", title: "awaited lookups beside a writer, 2 tasks", durability: .normal,
      isFilled: true, kind: .readBesideWriter(tasks: 2)),
    Workload(
      name: "R4", title: "awaited lookups beside a writer, 4 tasks", durability: .normal,
      isFilled: true, kind: .readBesideWriter(tasks: 4)),
    Workload(
      name: "R16", title: "awaited lookups beside a writer, 16 tasks", durability: .normal,
      isFilled: true, kind: .readBesideWriter(tasks: 16)),
    Workload(
      name: "W7s", title: "insert teams of ten in one transaction", durability: .normal,
      isFilled: false, kind: .insertTeams),
    Workload(
      name: "W7e", title: "fetch all teams with their members, every value read",
      durability: .normal, isFilled: true, kind: .fetchTeams),
    Workload(
      name: "W7r", title: "awaited lookups of a member's teams", durability: .normal,
      isFilled: true, kind: .lookUpTeams),
    Workload(
      name: "Q1", title: "insert an archive of packages in one transaction", durability: .normal,
      isFilled: false, kind: .insertPackages),
    Workload(
      name: "Q2", title: "awaited lookups of a package with all it needs", durability: .normal,
      isFilled: true, kind: .fetchClosures),
    Workload(
      name: "Q3", title: "awaited counts of who needs a package", durability: .normal,
      isFilled: true, kind: .countDependents),
    Workload(
      name: "Q3e", title: "awaited lookups of who needs a package, with all they need",
      durability: .normal, isFilled: true, kind: .lookUpDependents),
    Workload(
      name: "L1", title: "fetch all teams, their members left alone, every value read",
      durability: .normal, isFilled: true, kind: .fetchTeamsAlone),
    Workload(
      name: "L2", title: "stream the members of one team, every value read",
      durability: .normal, isFilled: true, kind: .streamMembers),
    Workload(
      name: "A1", title: "insert photos with files of 16 KiB in one durable transaction",
      durability: .full, isFilled: false, kind: .insertPhotos),
    Workload(
      name: "A2", title: "durable saves of photos with files of 16 KiB one by one",
      durability: .full, isFilled: false, kind: .savePhotosOneByOne),
    Workload(
      name: "A3", title: "stream a film into a file, in pieces of 256 KiB", durability: .full,
      isFilled: false, kind: .storeFilm),
    Workload(
      name: "A4", title: "stream the film out of its file, in pieces of 256 KiB",
      durability: .full, isFilled: true, kind: .playFilm),
    Workload(
      name: "M1", title: "make a table anew: a column becomes optional, another real",
      durability: .normal, isFilled: false, kind: .rebuild),
  ]

  static var names: String { all.map(\.name).joined(separator: ", ") }
}
