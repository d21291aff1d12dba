internal import GRDB
internal import Workloads

/// An engine with records and the query interface. Each engine declares its records; the jobs are
/// implemented here for all of them.
protocol RecordEngine: Engine {
  associatedtype Person: PersonRecord
  /// A person whose age has an index.
  associatedtype Resident: PersonRecord

  associatedtype Team: TeamRecord where Team.MemberOfTeam == Member
  associatedtype Member: MemberRecord where Member.TeamOfMember == Team
  associatedtype Link: LinkRecord
  associatedtype FullTeam: FullTeamRecord where FullTeam.Whole == Team, FullTeam.Part == Member

  associatedtype Package: PackageRecord
  where Package.Author == Maintainer, Package.NeedOfPackage == Need
  associatedtype Maintainer: MaintainerRecord
  associatedtype Need: NeedRecord
  associatedtype FullPackage: FullPackageRecord
  where
    FullPackage.Whole == Package, FullPackage.Author == Maintainer,
    FullPackage.NeedOfPackage == Need

  var pool: DatabasePool { get }
}

extension RecordEngine {
  /// A job for every work but files and migrations.
  func recordJob(for work: Work) async throws -> Job? {
    switch work {
    case .insertPeople(let people): insert(people)
    case .savePeople(let people, tasks: 1): save(people)
    case .savePeople(let people, let tasks): save(people, tasks: tasks)
    case .fetchPeople(let readingValues): fetchAll(readingValues: readingValues)
    case .streamPeople: streamAll()
    case .lookUpPeople(let ids), .lookUpUnreadPeople(let ids): lookUp(ids)
    case .insertResidents(let people): insertResidents(people)
    case .filterResidents(let ages): filter(ages: ages)
    case .changePeople(let people): try await change(people)
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
    case .openAndLookUp, .lookUpPeopleFromMainActor, .sortPeople, .insertParcels, .fetchParcels,
      .insertReadings, .fetchReadings, .insertShelves, .fetchShelves, .insertTree, .fetchTree,
      .saveObservedPeople, .selectPeople, .incrementPeople, .insertPhotos, .savePhotos,
      .storeFilm, .playFilm, .rebuildPeople, .sumUpRebuiltPeople,
      .insertEntries, .insertPurchases, .ask, .insertArticles, .saveArticles, .searchArticles,
      .rebuildSearchIndex, .insertPassages, .findNearest,
      .exportPeople, .sumUpExport, .importPeople, .importFolder, .sumUpImportedFolder:
      nil
    }
  }
}
