/// A database library under measurement. A workload knows no other side of it.
protocol Engine: Sendable {
  /// What the engine saves.
  associatedtype Record: Sendable
  /// A stored person, to be changed.
  associatedtype StoredPerson: Sendable
  /// What the engine saves of a team: the members come with it.
  associatedtype TeamRecord: Sendable
  /// A stored member, from which its teams are looked up.
  associatedtype StoredMember: Sendable
  /// What the engine saves of an archive.
  associatedtype ArchiveRecord: Sendable
  /// What the engine saves of a photo.
  associatedtype PhotoRecord: Sendable
  /// A stored package, from which those that need it are looked up.
  associatedtype StoredPackage: Sendable

  static var name: String { get }

  /// A new database in an existing directory.
  static func open(directory: String, durability: Durability) async throws -> Self

  /// The database in a directory, as it was closed.
  static func reopen(directory: String, durability: Durability) async throws -> Self

  /// New records for people, made outside the measured time.
  static func records(of people: [PlainPerson]) -> [Record]

  /// Saves all in one transaction.
  func insert(_ records: [Record]) async throws

  /// Saves each in a transaction of its own.
  func saveOneByOne(_ records: [Record]) async throws

  /// Saves each in a transaction of its own, from several tasks at once.
  func saveAtOnce(_ records: [Record], tasks: Int) async throws

  /// Fetches everyone and reads every value, or none but the count.
  func fetchAll(readingValues: Bool) async throws -> Checksum

  /// Looks people up by their primary value, one call after the other.
  func lookUp(_ ids: [String]) async throws -> Checksum

  /// Saves people of whom the age has an index.
  func insertResidents(_ people: [PlainPerson]) async throws

  /// Fetches everyone of each age, one call after the other, and reads every value.
  func filter(ages: [Int]) async throws -> Checksum

  /// The stored people, found outside the measured time.
  func stored(_ people: [PlainPerson]) async throws -> [StoredPerson]

  /// Changes the age of each and saves all in one transaction.
  func change(_ people: [StoredPerson]) async throws

  /// Saves all in one transaction, under primary values that are taken.
  func replace(_ records: [Record]) async throws

  /// Looks people up by their primary value from several tasks at once, while another saves.
  func lookUp(_ ids: [String], tasks: Int, beside: [PlainPerson]) async throws -> Checksum

  /// New records for teams and their members, made outside the measured time.
  static func teamRecords(of teams: [PlainTeam]) -> [TeamRecord]

  /// Saves all teams, their members and who is where, in one transaction.
  func insertTeams(_ records: [TeamRecord]) async throws

  /// Fetches every team with its members, in order, and reads every value.
  func fetchTeams() async throws -> Checksum

  /// The stored members, found outside the measured time.
  func members(_ ids: [String]) async throws -> [StoredMember]

  /// Looks up the teams of each member, one call after the other; a team comes with its members.
  func lookUpTeams(of members: [StoredMember]) async throws -> Checksum

  /// New records for an archive's packages, made outside the measured time.
  static func packageRecords(of archive: PlainArchive) -> ArchiveRecord

  /// Lets the records go, outside the measured time.
  static func release(_ archive: ArchiveRecord)

  /// Saves all packages, their maintainers and what they need, in one transaction.
  func insertPackages(_ records: ArchiveRecord) async throws

  /// Fetches each package with all it needs, however deep, and reads every value.
  func fetchClosures(_ ids: [String]) async throws -> Checksum

  /// The stored packages, found outside the measured time.
  func packages(_ ids: [String]) async throws -> [StoredPackage]

  /// Counts who needs each package, one call after the other.
  func countDependents(of packages: [StoredPackage]) async throws -> Checksum

  /// Looks up who needs each package, one call after the other; they come with all they need.
  func lookUpDependents(of packages: [StoredPackage]) async throws -> Checksum

  /// Fetches every team without its members, in order, and reads every value.
  func fetchTeamsAlone() async throws -> Checksum

  /// Reads the members of every team in order, one at a time, and every value of them.
  func streamMembers() async throws -> Checksum

  /// New records for photos, made outside the measured time.
  static func photoRecords(of photos: [PlainPhoto]) -> [PhotoRecord]

  /// Saves all in one transaction, each image in a file of its own.
  func insertPhotos(_ records: [PhotoRecord]) async throws

  /// Saves each in a transaction of its own, each image in a file of its own.
  func savePhotosOneByOne(_ records: [PhotoRecord]) async throws

  /// Saves a film, whose pieces go into a file as they come.
  func storeFilm(_ film: PlainFilm) async throws

  /// Reads the film piece by piece.
  func playFilm() async throws -> Checksum

  /// Makes the table of people anew: the name becomes optional, the age a real number.
  func rebuild() async throws

  /// Reads what has become of the people, outside the measured time.
  func sumUpRebuilt() async throws -> Checksum

  func close() async
}

/// What a commit promises.
enum Durability: String, Codable, Sendable {
  case normal = "NORMAL"
  case full = "FULL"
}
