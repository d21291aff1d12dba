import Foundation
import MagicData
import MagicTestSupport
import Testing

/// The examples of README and DocC, compiled and run. `DocumentationTests` checks that they are
/// here word for word.
@Suite struct DocumentedExamples {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("example.sqlite3").path }

  @Test func theFirstExampleSavesAndFetches() async throws {
    let magic = try await MagicData(path: path)
    let ada = Person(name: "Ada")
    try await magic.update(ada)

    let people = try await magic.object(of: Person.self)
    print(people.count, people[0].name)  // 1 Ada

    #expect(people.map(\.name) == ["Ada"])
  }

  @Test func copiesShareStateAndFetchedObjectsDoNot() async throws {
    let magic = try await MagicData(type: .temporary)

    let test = Person(name: "hi")
    let test2 = test
    test2.name = "hello"
    print(test.name)  // hello

    try await magic.update(test)
    let id = test.id
    let fetched = try await magic.object(of: Person.self).where { $0.id == id }
    fetched.name = "good morning"
    print(test.name)  // hello

    #expect(test.name == "hello")
    #expect(fetched.name == "good morning")
  }

  @Test func valuesOfAllKindsAreSaved() async throws {
    let magic = try await MagicData(type: .temporary)

    let worker = Worker()
    worker.job = Job(title: "Engineer", salary: 100)
    worker.skills.append("Swift")
    try await magic.update(worker)
    print(worker.number)  // 1

    #expect(worker.number == 1)
    let fetched = try await magic.object(of: Worker.self, primary: 1)
    #expect(fetched.job == worker.job)
    #expect(fetched.skills == ["Swift"])
  }

  @Test func propertiesChangeInPlace() async throws {
    let ada = Person(name: "Ada")
    let worker = Worker()
    ada.name += " Lovelace"
    worker.skills.append("Go")
    #expect(ada.name == "Ada Lovelace")
    #expect(worker.skills == ["Go"])

    let parts = AsyncStream { continuation in
      for part in [", ", "Countess"] { continuation.yield(part) }
      continuation.finish()
    }
    try await ada.name.append(from: parts)
    #expect(ada.name == "Ada Lovelace, Countess")
  }

  @Test func largeValuesAreStoredInFiles() async throws {
    let magic = try await MagicData(path: path)
    let data = Data("an image".utf8)
    let photo = Photo()
    photo.image = .init(value: data, pathExtension: "png")
    try await magic.update(photo)
    print(photo.image.path?.lastPathComponent ?? "no file")

    let stored = try await magic.object(of: Photo.self, primary: photo.id)
    let image = stored.image.value  // reads the file now; load() throws if it cannot
    #expect(image == data)

    stored.image.value = Data([1, 2, 3])
    try await magic.update(stored)
    print(stored.image.pathExtension ?? "none")

    #expect(stored.image.pathExtension == "png")
    #expect(stored.image.value == Data([1, 2, 3]))

    let file = URL(fileURLWithPath: path + ".source")
    try Data(count: 600_000).write(to: file)
    photo.image = try await magic.asset(contentsOf: file)  // copied now; the save stores the name
    try await magic.update(photo)
    for try await chunk in photo.image.chunks() { print(chunk.count) }
    let reader = try photo.image.open()
    let header = try reader.read(0..<16)
    #expect(header == Data(count: 16))
    try await theCommentsOfAssets(photo)
    await magic.close()
  }

  private func theCommentsOfAssets(_ photo: Photo) async throws {
    struct Response {
      func write(_ chunk: Data) async throws {}
    }
    let film = Film()
    let response = Response()
    film.file = photo.image
    for try await chunk in film.file.chunks() { try await response.write(chunk) }
    do {
      let reader = try photo.image.open()
      let header = try reader.read(0..<16)
      reader.close()
      #expect(header.count == 16)
    }
    #expect(Waveform(assetData: Data([1])).assetData == Data([1]))
  }

  @Test func graphsAreSavedFetchedAndChanged() async throws {
    let magic = try await MagicData(type: .temporary)

    let mix = Playlist()
    mix.name = "Mix"
    mix.owner = Person(name: "Ada")
    mix.songs = [Song(title: "One"), Song(title: "Two")]
    try await magic.update(mix)  // four rows and two join rows, or nothing

    let again = try await magic.object(of: Playlist.self, primary: "Mix")
    again.songs[1].title = "Three"
    again.songs.insert(Song(title: "Zero"), at: 0)
    try await magic.update(again)  // one row updated, one row and one join row inserted

    let last = try await magic.object(of: Playlist.self, primary: "Mix")
    #expect(last.songs.map(\.title) == ["Zero", "One", "Three"])
    #expect(last.owner.name == "Ada")

    for try await playlist in again.songs[0].playlists {
      print(playlist.name)  // Mix
    }
    let count = try await again.songs[0].playlists.count

    #expect(count == 1)
    var names: [String] = []
    for try await playlist in again.songs[0].playlists { names.append(playlist.name) }
    #expect(names == ["Mix"])

    await theCommentsOfTheReverseSet(again.songs[0])
    try await anInverseRelationshipIsEdited(magic, again)
  }

  private func anInverseRelationshipIsEdited(_ magic: MagicData, _ again: Playlist) async throws {
    let song = Song(title: "Four")
    try song.playlists.insert(again)
    try await magic.update(song)  // the song and one join row
    let isIncluded = try await song.playlists.contains(again)
    try song.playlists.remove(again)  // all occurrences
    try await magic.update(song)

    #expect(isIncluded)
    #expect(try await song.playlists.count == 0)
    let playlist = again
    try song.playlists.insert(playlist)
    try await magic.update(song)  // also saves the playlist
    #expect(playlist.songs.last?.title == "Four")
  }

  @Test func membersOfOwnedListsMove() async throws {
    let magic = try await MagicData(type: .temporary)

    let (first, second) = (Order(), Order())
    first.lines = [Line(article: "Lamp"), Line(article: "Bulb")]
    second.lines = [Line(article: "Cable")]
    try await magic.update(contentsOf: [first, second])

    second.lines.append(first.lines[1])
    try await magic.update(second)  // one row updated: the bulb leaves the first order

    let orders = try await magic.object(of: Order.self)
    #expect(orders.map { $0.lines.map(\.article) } == [["Lamp"], ["Cable", "Bulb"]])
    #expect(try await second.lines[1].order.count == 1)
    await magic.close()
  }

  private func theCommentsOfTheReverseSet(_ song: Song) async {
    await #expect(throws: Never.self) {
      for try await playlist in song.playlists { print(playlist.name) }
      let count = try await song.playlists.count
      #expect(count == 1)
    }
  }

  @Test func lazyRelationshipsAreFetchedOnDemand() async throws {
    let magic = try await MagicData(type: .temporary)
    let town = Library()
    town.name = "Town"
    town.keeper = .init(value: Person(name: "Ada"))
    try await magic.update(town)

    let library = try await magic.object(of: Library.self, primary: "Town")  // one row
    let songs = try await library.collected.get()
    library.collected.set(songs + [Song(title: "Four")])
    try await magic.update(library)  // one row and one join row inserted

    let size = try await library.collected.count  // counted by an index
    let any = try await library.collected.randomValue()
    for try await song in try library.collected.createAsyncStream() {
      print(song.title)  // at most one page of 512 members in memory
    }

    #expect(size == 1)
    #expect(any?.title == "Four")
    #expect(try await library.keeper.get().name == "Ada")
  }

  @Test func aSetHasEveryObjectOnce() {
    let (anna, ben) = (Person(name: "Anna"), Person(name: "Ben"))
    var guests: MagicalSet = [anna, ben]
    guests.insert(anna)  // still two
    #expect(guests.count == 2)
    #expect(guests.contains(ben))
  }

  @Test func ownedObjectsAreRemovedWithTheirOwner() async throws {
    let magic = try await MagicData(type: .temporary)
    let root = Folder()
    let leaf = Folder()
    leaf.parent = root
    leaf.readers.append(Person(name: "Ada"))
    try await magic.update(leaf)
    await #expect(throws: MagicError.self) { try await magic.remove(leaf.readers[0]) }
    try await magic.remove(root)
    #expect(try await magic.object(of: Folder.self).isEmpty)
  }

  @Test func databasesAreOpenedInMemoryAndInPrivate() async throws {
    let temporary = try await MagicData(type: .temporary)  // deleted when it is closed or released
    let memory = try await MagicData(type: .memory)
    #expect(try await temporary.object(of: Person.self).isEmpty)
    #expect(try await memory.object(of: Person.self).isEmpty)
  }

  @Test func anExistingDatabaseIsOpened() async throws {
    await #expect(throws: MagicError.self) {
      _ = try await MagicData(path: path, options: MagicOptions(mustExist: true))
    }
    let new = try await MagicData(path: path)
    try await new.update(Person(name: "Ada"))
    await new.close()

    let existing = try await MagicData(path: path, options: MagicOptions(mustExist: true))

    #expect(try await existing.object(of: Person.self).count == 1)
  }

  @Test func databasesAreOpenedInFiles() async throws {
    let file = try await MagicData(path: path)  // or a directory, for default.sqlite3 in it

    let options = MagicOptions(durability: .normal, busyTimeout: 1)
    let fast = try await MagicData(path: path, options: options)

    try await file.update(Person(name: "Ada"))
    #expect(try await fast.object(of: Person.self).count == 1)
  }

  @Test func aDatabaseIsPreparedForSharingBetweenDevices() async throws {
    let magic = try await MagicData(path: path)
    try await magic.prepareForSharing()

    let ada = Person(name: "Ada")
    try await magic.update(ada)
    await magic.close()
    let copyPath = path + "-copy"
    try FileManager.default.copyItem(atPath: path, toPath: copyPath)

    let copy = try await MagicData(path: copyPath)
    try await copy.prepareForSharing(asCopy: true)

    let grace = Person(name: "Grace")
    try await copy.update(grace)
    let numbers = Set([ada, grace].map { ($0.zIndex?.rawValue ?? 0) >> 32 })
    #expect(numbers.count == 2 && !numbers.contains(0))
  }

  /// In a separate process, whose home is a directory of this test.
  @Test func theDefaultDatabaseIsInTheDocumentsDirectory() async throws {
    await #expect(processExitsWith: .success) {
      let home = FileManager.default.temporaryDirectory
        .appendingPathComponent("documented-home-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      setenv("CFFIXED_USER_HOME", home.path, 1)

      let documents = try await MagicData()  // default.sqlite3 in the user's documents directory

      try await documents.update(Person(name: "Ada"))
      let file = home.appendingPathComponent("Documents/default.sqlite3")
      try #require(FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func objectsAreSavedFetchedAndRemoved() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")

    let zIndex = try await magic.update(ada)
    try await magic.update(contentsOf: [Person(name: "Grace"), Person(name: "Alan")])

    #expect(ada.zIndex == zIndex)

    let all = try await magic.object(of: Person.self)
    let grace = try await magic.object(of: Person.self).where { $0.name == "Grace" }
    let same = try await magic.object(of: Person.self, primary: grace.id)
    let several = try await magic.object(of: Person.self, primaries: [ada.id, grace.id])
    let isThere = try await magic.has(of: Person.self, primary: grace.id)

    #expect(all.count == 3)
    #expect(same.isSameRow(as: grace))
    #expect(several.map(\.name) == ["Ada", "Grace"])
    #expect(isThere)

    try await magic.remove(grace)
    try await magic.remove(contentsOf: [ada])
    try await magic.removeAll(of: Person.self)
    await magic.close()

    #expect(grace.zIndex == nil)
  }

  @Test func anErrorHasACode() async throws {
    let magic = try await MagicData(type: .temporary)

    do {
      _ = try await magic.object(of: Person.self, primary: "unknown")
    } catch let error as MagicError where error.code == .notFound {
      print(error)  // notFound: There is no such object. [Person]
    }

    let error = await #expect(throws: MagicError.self) {
      try await magic.object(of: Person.self, primary: "unknown")
    }
    #expect(error.map { "\($0)" } == "notFound: There is no such object. [Person]")
    #expect(error?.localizedDescription == "There is no such object.")
  }

  @Test func columnsAndIndexesAreDeclaredInTheType() async throws {
    let magic = try await MagicData(type: .temporary)
    let book = Book()
    book.title = "Notes"
    book.place = "A1"
    try await magic.update(book)
    #expect(try await magic.object(of: Book.self).map(\.year) == [1970])
  }

  @Test func theOverviewSavesAndFetches() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let found = try await magic.object(of: Person.self, primary: ada.id)

    #expect(found.name == "Ada")
  }

  @Test func rawSQLIsTyped() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    ada.age = 36
    try await magic.update(ada)

    let grown = try await magic.sql(
      """
      SELECT \(column: \Person.$name), \(column: \Person.$age) FROM \(table: Person.self)
      WHERE \(column: \Person.$age) >= \(18)
      """
    ).rows(String.self, Int.self)

    #expect(grown.map { $0.0 } == ["Ada"])

    let eldest = try await magic.sql("SELECT z_index FROM Person ORDER BY age DESC LIMIT 3")
      .objects(of: Person.self)
    try await magic.sql("UPDATE Person SET age = age + 1 WHERE name IN \(values: ["Ada", "Alan"])")
      .run()

    #expect(eldest.map(\.age) == [36])
    #expect(try await magic.object(of: Person.self).map(\.age) == [37])
  }

  @Test func rawSQLIsSafeInJoins() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    ada.age = 35
    let mix = Playlist()
    mix.name = "Mix"
    mix.owner = ada
    let alan = Person(name: "Alan")
    alan.age = 130
    try await magic.update(mix, alan)

    let listed = try await magic.sql(
      """
      SELECT \(column: \Person.$name), \(column: \Playlist.$name)
      FROM \(table: Person.self) AS p JOIN \(table: Playlist.self)
      ON \(column: \Playlist.$owner) = p.z_index
      """
    ).rows(String.self, String.self)
    let older = try await magic.sql(
      """
      SELECT \(row: Person.self, of: "a") FROM \(table: Person.self) a, \(table: Person.self) b
      WHERE \(column: \Person.$age, of: "a") > \(column: \Person.$age, of: "b")
      """
    ).objects(of: Person.self)

    #expect(listed.map { $0.0 + $0.1 } == ["AdaMix"])
    #expect(older.map(\.name) == ["Alan"])

    nonisolated struct Team: Decodable {
      var age = 0
      var members = 0
    }

    let teams = magic.sql("SELECT age, count(*) AS members FROM Person GROUP BY age")
    let decoded = try await teams.rows(as: Team.self)
    let assigned = try await teams.rows(into: Team(), \.age, \.members)

    #expect(decoded.map(\.members) == assigned.map(\.members))

    let named = magic.sql("SELECT name FROM Person WHERE age BETWEEN :low AND :high")
    let adults = try await named.bind("low", to: 18).bind("high", to: 65).rows(String.self)

    let jubilees = try await magic.query(Person.self)
      .where(\.$age > 0 && .sql("age % \(5) = 0"))
      .all()
    #expect(jubilees.count == 2)

    try await magic.sql(
      """
      UPDATE \(table: Person.self) SET age = age + \(1);
      DELETE FROM \(table: Person.self) WHERE age > \(120);
      """
    ).runScript()

    #expect(adults == ["Ada"])
    #expect(try await magic.object(of: Person.self).map(\.age) == [36])
  }

  @Test func aPlanIsExplained() async throws {
    let options = MagicOptions(diagnostics: MagicDiagnostics { print($0) })

    let magic = try await MagicData(type: .temporary, options: options)
    try await magic.update(Person(name: "Ada"))

    let plan = try await magic.sql("SELECT name FROM Person WHERE age = \(36)").explain()
    print(plan)

    #expect(plan.fullScans == ["Person"])
  }

  @Test func theDatabaseRunsQueries() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    ada.age = 36
    let mix = Playlist()
    mix.name = "Mix"
    mix.owner = ada
    mix.guests = [ada]
    try await magic.update(mix)
    try await magic.update(contentsOf: [Person(name: "Bob"), Person(name: "Carl")])

    let adults = try await magic.query(Person.self)
      .where(\.$age >= 18 && \.$petName == nil)
      .order(by: \.$name)
      .limit(10)
      .all()

    let mixes = MagicQuery(Playlist.self)
      .where(\.$owner.$name == "Ada")
      .where { $0.$name.hasPrefix("M") && $0.$guests.contains { $0.$age > 30 } }
    let found = try await mixes.bound(to: magic).all()

    let played = try await magic.query(Song.self).where { $0.$playlists.count > 3 }.all()

    #expect(adults.map(\.name) == ["Ada"])
    #expect(found.map(\.name) == ["Mix"])
    #expect(played.isEmpty)

    let people = magic.query(Person.self)
    let count = try await people.where(\.$name == "Ada").count()
    let oldest = try await people.order(by: \.$age, .descending).first()
    let names = try await people.select(\.$name, \.$age).all()  // [(String, Int)]
    let perAge = try await people.grouped(by: \.$age).count()  // [(key: Int, count: Int)]
    let average = try await people.average(\.$age)
    for try await person in people.order(by: \.$name).stream() { print(person.name) }

    #expect(count == 1)
    #expect(oldest?.name == "Ada")
    #expect(names.count == 3)
    #expect(perAge.count == 2)
    #expect(average == 12)

    try await people.where(\.$age < 18).update(set: \.$age += 1)
    try await people.where(\.$name == "Ada").update(set: .set(\.$petName, to: "Rex"), \.$age += 1)
    try await people.where { $0.$name.in(["Bob", "Eve"]) }.delete()

    #expect(try await people.order(by: \.$name).select(\.$age).all() == [37, 1])
  }

  @Test func severalCallsAreOneTransaction() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)
    let id = ada.id

    try await magic.transaction { transaction in
      let person = try transaction.object(of: Person.self, primary: id)
      person.age += 1
      try transaction.update(person)
    }

    let (everyone, total) = try await magic.read { snapshot in
      (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
    }

    let (people, count) = try await magic.read { snapshot in
      (try snapshot.object(of: Person.self), try snapshot.query(Person.self).count())
    }

    let cache = magic.cacheStatistics
    print("\(cache.hits) of \(cache.hits + cache.misses) lookups were in the cache")

    #expect(everyone.map(\.age) == [1])
    #expect(total == 1)
    #expect((people.count, count) == (1, 1))
  }

  @Test func anOpenDatabaseIsBackedUpAndVerified() async throws {
    let magic = try await MagicData(path: path)
    try await magic.update(Person(name: "Ada"))
    let copyPath = directory.file("copy.sqlite3").path

    try await magic.backup(to: copyPath) { print($0.fraction) }

    let report = try await magic.verify()
    print(report)  // no faults

    #expect("\(report)" == "no faults")

    let repaired = try await magic.repair()
    print(repaired)  // no faults

    #expect("\(repaired)" == "no faults")

    let compaction = try await magic.compact { print($0.fraction) }
    print(compaction.bytesReturned)

    #expect(compaction.bytesReturned == 0)
    let copy = try await MagicData(path: copyPath)
    #expect(try await copy.object(of: Person.self).map(\.name) == ["Ada"])
    await copy.close()
    await magic.close()
  }

  @Test func aSuspendedDatabaseIsResumed() async throws {
    let magic = try await MagicData(path: path)

    await magic.suspend()
    // … and when the app is in the foreground again:
    magic.resume()

    try await magic.update(Person(name: "Ada"))
    #expect(try await magic.object(of: Person.self).count == 1)
    await magic.close()
  }

  @Test func tablesFollowTheirTypes() async throws {
    let old = try await MagicData(path: path)
    let ada = Formerly.Addressee()
    (ada.firstName, ada.lastName, ada.telephone) = ("Ada", "King", "1815")
    let grace = Formerly.Addressee()
    (grace.firstName, grace.lastName, grace.telephone) = ("Grace", "Hopper", "1906")
    ada.friends = [grace]
    try await old.update(ada)
    await old.close()

    let magic = try await MagicData(path: path)
    let copyPath = directory.file("copy.sqlite3").path

    let plan = try await magic.migrationPlan(for: Friend.self)
    print(plan)  // each step with its SQL: additive, rewriting or destroying, and why it is refused

    try await magic.migrate(Friend.self, backup: copyPath) { print($0) }

    #expect(plan.kind == .destroying)
    #expect(plan.refused.isEmpty)
    let people = try await magic.object(of: Friend.self)
    #expect(people.map(\.name).sorted() == ["Ada King", "Grace Hopper"])
    #expect(people.compactMap(\.phone).sorted() == ["1815", "1906"])
    #expect(people.first { $0.name == "Ada King" }?.friends.map(\.name) == ["Grace Hopper"])
    #expect(try await magic.verify().isSound)
    await magic.close()

    let copy = try await MagicData(path: copyPath)
    #expect(try await copy.object(of: Formerly.Addressee.self).count == 2)
    await copy.close()
  }

  @Test func stepsRunInTheirOrder() async throws {
    let old = try await MagicData(path: path)
    let article = Formerly.Ware()
    (article.title, article.price) = ("Pen", 1.5)
    try await old.update(article)
    let member = Formerly.Fellow()
    member.firstName = "Ada"
    try await old.update(member)
    await old.close()

    let magic = try await MagicData(path: path)
    #expect(try await magic.object(of: Ware.self).map(\.price) == [150])
    #expect(try await magic.object(of: Ware.self).map(\.name) == ["Pen"])
    #expect(try await magic.object(of: Fellow.self).map(\.name) == ["Ada"])
    await magic.close()
  }

  @Test func aPlanIsPrinted() async throws {
    let magic = try await MagicData(type: .temporary)
    print(try await magic.migrationPlan(for: Person.self))

    #expect(try await magic.migrationPlan(for: Person.self).isEmpty)
  }
}
