public import Workloads

extension CTwin {
  /// A job for every work.
  public func job(for work: Work) async throws -> Job? {
    switch work {
    case .insertPeople(let people): saving { _ in try insert(people) }
    // One thread at a time uses a connection, so each person has a commit, for any number of
    // tasks.
    case .savePeople(let people, tasks: _): saving { try saveOneByOne(people, $0) }
    case .saveObservedPeople(let people, let observer):
      saving { try saveOneByOne(people, $0, observedBy: observer) }
    case .fetchPeople(let readingValues): { try fetchAll(readingValues: readingValues, $0) }
    case .selectPeople: { try selectAll($0) }
    case .incrementPeople: saving { _ in try increment() }
    case .streamPeople: { _ in try streamAll() }
    case .lookUpPeople(let ids), .lookUpUnreadPeople(let ids): { try lookUp(ids, $0) }
    case .insertResidents(let people): saving { _ in try insertResidents(people) }
    case .filterResidents(let ages): { try filter(ages: ages, $0) }
    case .changePeople(let people): changing(try stored(people))
    case .replacePeople(let people): saving { _ in try replace(people) }
    case .lookUpPeopleBesideWriter(let ids, let tasks, let people):
      lookingUp(ids, try readers.first(tasks, beside: self), beside: people)
    case .openAndLookUp(let people, let times): try await openAndLookUp(people, times: times)
    case .lookUpPeopleFromMainActor(let ids): { @MainActor in try lookUp(ids, $0) }
    case .sortPeople(by: _): sorting(try people())
    case .insertTeams(let teams): saving { _ in try insertTeams(teams) }
    case .fetchTeams: { try fetchTeams($0) }
    case .fetchTeamsAlone: { try fetchTeamsAlone($0) }
    case .lookUpTeams(let ids): lookingUpTeams(of: try members(ids))
    case .streamMembers: { _ in try streamMembers() }
    case .insertPackages(let archive): saving { _ in try insertPackages(archive) }
    case .fetchClosures(let ids): { try fetchClosures(ids, $0) }
    case .countDependents(let ids): of(try packages(ids), countDependents)
    case .lookUpDependents(let ids): of(try packages(ids), lookUpDependents)
    case .insertPhotos(let photos): saving { _ in try insertPhotos(photos) }
    case .savePhotos(let photos): saving { try savePhotos(photos, $0) }
    case .storeFilm(let film): { _ in try await storeFilm(film) }
    case .playFilm: { _ in try playFilm() }
    case .rebuildPeople: saving { _ in try rebuild() }
    case .sumUpRebuiltPeople: { _ in try sumUpRebuilt() }
    case .insertEntries(let entries): saving { _ in try insertEntries(entries) }
    case .insertPurchases(let purchases): saving { _ in try insertPurchases(purchases) }
    case .ask(let question): { _ in try ask(question) }
    case .insertParcels(let parcels): saving { _ in try insertParcels(parcels) }
    case .fetchParcels: { _ in try fetchParcels() }
    case .insertReadings(let readings): saving { _ in try insertReadings(readings) }
    case .fetchReadings: { _ in try fetchReadings() }
    case .insertShelves(let shelves): saving { _ in try insertShelves(shelves) }
    case .fetchShelves: { _ in try fetchShelves() }
    case .insertTree(let tree): saving { _ in try insertTree(tree) }
    case .fetchTree: { _ in try fetchTree() }
    case .insertArticles(let articles): saving { _ in try insertArticles(articles) }
    case .saveArticles(let articles, _): saving { try saveArticles(articles, $0) }
    case .searchArticles(let searches): { try searchArticles(searches, $0) }
    case .rebuildSearchIndex: saving { _ in try rebuildSearchIndex() }
    case .insertPassages(let passages): saving { _ in try insertPassages(passages) }
    case .findNearest(let searches): { _ in try findNearest(searches) }
    case .exportPeople(let people): try exporting(people)
    case .sumUpExport: { _ in try sumUpExport() }
    // The rows alone, without files.
    case .importPeople(let people), .importFolder(let people): saving { _ in try insert(people) }
    case .sumUpImportedFolder: { try fetchAll(readingValues: true, $0) }
    }
  }

  private func saving(_ body: @escaping @Sendable (Run) throws -> Void) -> Job {
    { run in
      try body(run)
      return Checksum()
    }
  }

  private func exporting(_ people: [PlainPerson]) throws -> Job {
    try insert(people)
    return saving { _ in try exportPeople() }
  }

  private func sorting(_ people: [FetchedPerson]) -> Job {
    { _ in
      var checksum = Checksum()
      for (place, person) in people.sorted(by: { $0.name < $1.name }).enumerated() {
        checksum.add(place &* person.age)
      }
      return checksum
    }
  }

  private func changing(_ people: [StoredPerson]) -> Job { saving { _ in try change(people) } }

  private func lookingUp(
    _ ids: [String], _ readers: [CTwin], beside people: [PlainPerson]
  ) -> Job { { _ in try await lookUp(ids, readers, beside: people) } }

  private func lookingUpTeams(of members: [Int64]) -> Job { { try lookUpTeams(of: members, $0) } }

  private func of(
    _ packages: [Int64], _ body: @escaping @Sendable ([Int64], Run) throws -> Checksum
  ) -> Job { { try body(packages, $0) } }
}
