internal import GRDB
public import Workloads

/// The C twin's SQL, in statements that GRDB caches, into the twin's structs, values by position.
///
/// https://swiftpackageindex.com/groue/GRDB.swift/v7.10.0/documentation/grdb/statement
public struct GRDBSQL: Engine {
  /// The name in tables.
  public static let name = "GRDB, raw SQL"
  /// The version of GRDB.
  public static let version = Pool.version
  let pool: DatabasePool

  /// Opens a pool with the pragmas of the C twin.
  public static func open(directory: String, durability: Durability) async throws -> GRDBSQL {
    GRDBSQL(pool: try Pool.open(directory: directory, durability: durability))
  }

  /// A job for every work but files, migrations, vectors, some queries and types.
  public func job(for work: Work) async throws -> Job? {
    switch work {
    case .insertPeople(let people): insert(people, into: "person")
    case .savePeople(let people, tasks: 1): save(people)
    case .savePeople(let people, let tasks): save(people, tasks: tasks)
    case .saveObservedPeople(let people, let observer): save(people, observedBy: observer)
    case .fetchPeople(let readingValues): fetchAll(readingValues: readingValues)
    case .selectPeople: selectAll()
    case .incrementPeople: increment()
    case .streamPeople: streamAll()
    case .lookUpPeople(let ids), .lookUpUnreadPeople(let ids): lookUp(ids)
    case .insertResidents(let people): insert(people, into: "resident")
    case .filterResidents(let ages): filter(ages: ages)
    case .changePeople(let people): change(people)
    case .replacePeople(let people): replace(people)
    case .lookUpPeopleBesideWriter(let ids, let tasks, let people):
      lookUp(ids, tasks: tasks, beside: people)
    case .insertTeams(let teams): insert(teams)
    case .fetchTeams: fetchTeams()
    case .fetchTeamsAlone: fetchTeamsAlone()
    case .lookUpTeams(let members): try await lookUpTeams(ofMembers: members)
    case .streamMembers: streamMembers()
    case .insertPackages(let archive): insert(archive)
    case .fetchClosures(let ids): fetchClosures(ids)
    case .countDependents(let ids): try await countDependents(ids)
    case .lookUpDependents(let ids): try await lookUpDependents(ids)
    case .insertArticles(let articles): insert(articles)
    case .saveArticles(let articles, areObserved: false): save(articles)
    case .saveArticles(let articles, areObserved: true): saveObserved(articles)
    case .searchArticles(let searches): search(searches)
    case .rebuildSearchIndex: rebuildSearchIndex()
    case .insertParcels(let parcels): insert(parcels)
    case .fetchParcels: fetchParcels()
    case .insertReadings(let readings): insert(readings)
    case .fetchReadings: fetchReadings()
    case .openAndLookUp, .lookUpPeopleFromMainActor, .sortPeople, .insertShelves, .fetchShelves,
      .insertTree, .fetchTree, .insertPhotos, .savePhotos, .storeFilm, .playFilm, .rebuildPeople,
      .sumUpRebuiltPeople,
      .insertEntries, .insertPurchases, .ask, .insertPassages, .findNearest,
      .exportPeople, .sumUpExport, .importPeople, .importFolder, .sumUpImportedFolder:
      nil
    }
  }

  /// Closes all connections.
  public func close() async { try? pool.close() }
}
