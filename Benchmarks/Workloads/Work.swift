/// One thing to do, with all it takes, the same for each engine.
public enum Work: Sendable {
  /// New people in one transaction.
  case insertPeople([PlainPerson])
  /// New people, each in a transaction of its own, from so many tasks at once.
  case savePeople([PlainPerson], tasks: Int)
  /// Everyone, and every value of them or none but the count.
  case fetchPeople(readingValues: Bool)
  /// Everyone, one after the other, and every value of them.
  case streamPeople
  /// People by their primary value, one awaited call after the other.
  case lookUpPeople([String])
  /// New people of whom the age has an index, in one transaction.
  case insertResidents([PlainPerson])
  /// Everyone of each age, one awaited call after the other, and every value of them.
  case filterResidents(ages: [Int])
  /// The stored people, found before, with another age, in one transaction.
  case changePeople([PlainPerson])
  /// New objects under primary values that are taken, in one transaction.
  case replacePeople([PlainPerson])
  /// People by their primary value from several tasks at once, while another saves those, one after
  /// the other and again and again: rows that are there are updated.
  case lookUpPeopleBesideWriter([String], tasks: Int, saving: [PlainPerson])

  /// New teams with their members, in one transaction.
  case insertTeams([PlainTeam])
  /// Every team with its members, in order, and every value of them.
  case fetchTeams
  /// Every team without its members, and every value of it.
  case fetchTeamsAlone
  /// The teams of each member, found before, one awaited call after the other; a team comes with its
  /// members.
  case lookUpTeams(ofMembers: [String])
  /// The members of every team in order, one at a time, and every value of them.
  case streamMembers

  /// New packages, their maintainers and what they need, in one transaction.
  case insertPackages(PlainArchive)
  /// Each package with all it needs, however deep, and every value of them.
  case fetchClosures([String])
  /// How many need each package, found before, one awaited call after the other.
  case countDependents([String])
  /// Who needs each package, found before, one awaited call after the other; they come with all they
  /// need.
  case lookUpDependents([String])

  /// New photos in one transaction, each image in a file of its own.
  case insertPhotos([PlainPhoto])
  /// New photos, each in a transaction of its own, each image in a file of its own.
  case savePhotos([PlainPhoto])
  /// A film, whose pieces go into a file as they come.
  case storeFilm(PlainFilm)
  /// The film, piece by piece.
  case playFilm

  /// The table of people made anew: the name becomes optional, the age a real number.
  case rebuildPeople
  /// What has become of the people.
  case sumUpRebuiltPeople

  /// New entries with whole numbers as primary values, one after the other, in one transaction.
  case insertEntries([PlainEntry])
}
