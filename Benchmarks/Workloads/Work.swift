/// A work with its data, the same for each engine.
public enum Work: Sendable {
  /// New people in one transaction.
  case insertPeople([PlainPerson])
  /// New people, each in a separate transaction, from a number of concurrent tasks.
  case savePeople([PlainPerson], tasks: Int)
  /// New people, each in a separate transaction, while another task reads what an observer gives.
  case saveObservedPeople([PlainPerson], by: Observer)
  /// All people, with every value or only the count.
  case fetchPeople(readingValues: Bool)
  /// All people, one after the other, with every value.
  case streamPeople
  /// Two values of all people, without the people.
  case selectPeople
  /// One more in a number of all people, in one statement.
  case incrementPeople
  /// People by their primary, one awaited call after the other.
  case lookUpPeople([String])
  /// The same, for rows that were not looked up since another process has committed.
  case lookUpUnreadPeople([String])
  /// New people whose age has an index, in one transaction.
  case insertResidents([PlainPerson])
  /// All people of each age, one awaited call after the other, with every value.
  case filterResidents(ages: [Int])
  /// The stored people, fetched before, with another age, in one transaction.
  case changePeople([PlainPerson])
  /// New objects with existing primaries, in one transaction.
  case replacePeople([PlainPerson])
  /// People by their primary from several concurrent tasks, while another task saves people one
  /// after the other, repeatedly: existing rows are updated.
  case lookUpPeopleBesideWriter([String], tasks: Int, saving: [PlainPerson])

  /// A new database with people that is opened a number of times, each time for a lookup. The database
  /// is made before the job starts.
  case openAndLookUp([PlainPerson], times: Int)
  /// People by their primary, one call of the main actor after the other.
  case lookUpPeopleFromMainActor([String])
  /// All people by name. They are fetched before the job starts, and their names are read while sorting.
  case sortPeople(by: Comparison)

  /// New teams with their members, in one transaction.
  case insertTeams([PlainTeam])
  /// Every team with its members in order, with every value.
  case fetchTeams
  /// Every team without its members, with every value.
  case fetchTeamsAlone
  /// The teams of each member, fetched before, one awaited call after the other; teams are fetched
  /// with their members.
  case lookUpTeams(ofMembers: [String])
  /// The members of every team in order, one at a time, with every value.
  case streamMembers

  /// New packages, their maintainers and the packages they need, in one transaction.
  case insertPackages(PlainArchive)
  /// Each package with all packages it needs, directly or indirectly, with every value.
  case fetchClosures([String])
  /// The number of dependents of each package, fetched before, one awaited call after the other.
  case countDependents([String])
  /// The dependents of each package, fetched before, one awaited call after the other, with all
  /// packages they need.
  case lookUpDependents([String])

  /// New photos in one transaction, each image in a separate file.
  case insertPhotos([PlainPhoto])
  /// New photos, each in a separate transaction, each image in a separate file.
  case savePhotos([PlainPhoto])
  /// A film, whose chunks are streamed to a file.
  case storeFilm(PlainFilm)
  /// The film, chunk by chunk.
  case playFilm

  /// A rebuild of the table of people: the name becomes optional, the age a real number.
  case rebuildPeople
  /// The people after the rebuild.
  case sumUpRebuiltPeople

  /// New entries with whole numbers as primary values, one after the other, in one transaction.
  case insertEntries([PlainEntry])

  /// New purchases in one transaction.
  case insertPurchases([PlainPurchase])
  /// The answer to a question about all purchases.
  case ask(PurchaseQuestion)

  /// New parcels in one transaction.
  case insertParcels([PlainParcel])
  /// All parcels with every value.
  case fetchParcels
  /// New readings in one transaction.
  case insertReadings([PlainReading])
  /// All readings with every value.
  case fetchReadings
  /// New shelves with their books in one transaction.
  case insertShelves([PlainShelf])
  /// All shelves with their books, with every key and value.
  case fetchShelves
  /// A new tree of folders in one transaction.
  case insertTree(PlainTree)
  /// Every folder with the names of its subfolders.
  case fetchTree

  /// New articles, whose texts are indexed, in one transaction.
  case insertArticles([PlainArticle])
  /// New articles, each in a separate transaction.
  case saveArticles([PlainArticle], areObserved: Bool)
  /// The 20 best articles of each search, one awaited call after the other, with every value.
  case searchArticles([String])
  /// A new index of the texts of all articles, with another tokenizer.
  case rebuildSearchIndex
  /// New passages with vectors.
  case insertPassages([PlainPassage])
  /// The 20 passages that are nearest to each vector.
  case findNearest([[Float]])

  /// Lines of all people in a new file that is on disk. The people are stored before the job starts.
  case exportPeople([PlainPerson])
  /// The values in the exported file.
  case sumUpExport
  /// New people from lines of JSON, in one transaction. The lines are written before the job starts.
  case importPeople([PlainPerson])
  /// A new database from an exported one with people, which is written before the job starts.
  case importFolder([PlainPerson])
  /// The values in that new database.
  case sumUpImportedFolder
}
