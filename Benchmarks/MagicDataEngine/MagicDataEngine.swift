public import MagicData
public import Workloads

/// The library, used as an app uses it.
public struct MagicDataEngine: Engine {
  /// The name in tables.
  public static let name = "MagicData"
  /// The sources of this repository are measured.
  public static let version = "of this repository"
  let magic: MagicData
  let directory: String

  /// Opens with the default options, except the durability.
  public static func open(directory: String, durability: Durability) async throws -> MagicDataEngine
  {
    try await open(directory: directory, durability: durability, options: MagicOptions())
  }

  /// - Parameter options: the other options.
  public static func open(
    directory: String, durability: Durability, options: MagicOptions
  ) async throws -> MagicDataEngine {
    var options = options
    options.durability = durability == .full ? .full : .normal
    return MagicDataEngine(
      magic: try await MagicData(path: databasePath(directory), options: options),
      directory: directory)
  }

  static func databasePath(_ directory: String) -> String { directory + "/magic.sqlite3" }

  /// A job for every work.
  public func job(for work: Work) async throws -> Job? {
    switch work {
    case .insertPeople(let people): insert(people)
    case .savePeople(let people, tasks: 1): save(people)
    case .savePeople(let people, let tasks): save(people, tasks: tasks)
    case .saveObservedPeople(let people, let observer): save(people, observedBy: observer)
    case .fetchPeople(let readingValues): fetchAll(readingValues: readingValues)
    case .selectPeople: selectAll()
    case .incrementPeople: increment()
    case .streamPeople: streamAll()
    case .lookUpPeople(let ids): lookUp(ids)
    case .lookUpUnreadPeople(let ids): try await lookUpUnread(ids)
    case .insertResidents(let people): insertResidents(people)
    case .filterResidents(let ages): filter(ages: ages)
    case .changePeople(let people): try await change(people)
    case .replacePeople(let people): insert(people)
    case .lookUpPeopleBesideWriter(let ids, let tasks, let people):
      lookUp(ids, tasks: tasks, beside: people)
    case .openAndLookUp(let people, let times):
      try await openAndLookUp(people, times: times)
    case .lookUpPeopleFromMainActor(let ids): lookUpFromMainActor(ids)
    case .sortPeople(let comparison): try await sortPeople(by: comparison)
    case .insertTeams(let teams): insertTeams(teams)
    case .fetchTeams: fetchTeams()
    case .fetchTeamsAlone: fetchTeamsAlone()
    case .lookUpTeams(let ids): try await lookUpTeams(ofMembers: ids)
    case .streamMembers: streamMembers()
    case .insertPackages(let archive): insertPackages(archive)
    case .fetchClosures(let ids): fetchClosures(ids)
    case .countDependents(let ids): try await countDependents(ids)
    case .lookUpDependents(let ids): try await lookUpDependents(ids)
    case .insertPhotos(let photos): insertPhotos(photos)
    case .savePhotos(let photos): savePhotos(photos)
    case .storeFilm(let film): store(film)
    case .playFilm: playFilm()
    case .rebuildPeople: rebuild()
    case .sumUpRebuiltPeople: sumUpRebuilt()
    case .insertEntries(let entries): insertEntries(entries)
    case .insertPurchases(let purchases): insertPurchases(purchases)
    case .ask(let question): ask(question)
    case .insertParcels(let parcels): insertParcels(parcels)
    case .fetchParcels: fetchParcels()
    case .insertReadings(let readings): insertReadings(readings)
    case .fetchReadings: fetchReadings()
    case .insertShelves(let shelves): insertShelves(shelves)
    case .fetchShelves: fetchShelves()
    case .insertTree(let tree): insertTree(tree)
    case .fetchTree: fetchTree()
    case .insertArticles(let articles): insertArticles(articles)
    case .saveArticles(let articles, let areObserved):
      saveArticles(articles, areObserved: areObserved)
    case .searchArticles(let searches): searchArticles(searches)
    case .rebuildSearchIndex: rebuildSearchIndex()
    case .insertPassages(let passages): insertPassages(passages)
    case .findNearest(let searches): findNearest(searches)
    case .exportPeople(let people): try await export(people)
    case .sumUpExport: sumUpExport()
    case .importPeople(let people): try importLines(of: people)
    case .importFolder(let people): try await importFolder(with: people)
    case .sumUpImportedFolder: sumUpImportedFolder()
    }
  }

  /// Closes the database after its running calls.
  public func close() async { await magic.close() }
}
