import Foundation
import MagicData
import MagicTestSupport
import Observation
import Testing

/// Types whose names other examples have too.
enum DocumentedTypes {
  struct Ticket: MagicObject {
    @PrimaryMagicValue var number: Int  // 0 until the first save, which numbers it
    @MagicValue var name: String
    @MagicValue(.indexed) var age: Int = 3

    init() {}
  }
}

/// The examples of the articles that README and documentation comments do not have.
@Suite struct DocumentedArticles {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var path: String { directory.file("example.sqlite3").path }

  @Test func numbersAreAssignedByTheFirstSave() async throws {
    let magic = try await MagicData(type: .temporary)
    let ticket = DocumentedTypes.Ticket()
    ticket.name = "front row"
    #expect(ticket.number == 0)
    try await magic.update(ticket)
    #expect(ticket.number == 1)
  }

  @Test func aSetOfAnEnumerationIsAnArrayOfRawValues() async throws {
    let magic = try await MagicData(type: .temporary)
    let station = RadioStation()
    station.genres = [.folk]
    try await magic.update(station)
    #expect(try await magic.object(of: RadioStation.self)[0].genres == [.folk])
    #expect(
      try await magic.sql("SELECT CAST(genres AS TEXT) FROM RadioStation").value(String.self)
        == "[\"folk\"]")
    #expect(try await magic.query(RadioStation.self).where(\.$genres == [.folk]).count() == 1)
  }

  @Test func aUUIDIsStoredAsBytes() async throws {
    let magic = try await MagicData(type: .temporary)

    let device = Device()
    device.owner = MagicUUID("6F9619FF-8B86-D011-B42D-00C04FC964FF")
    try await magic.update(device)
    let same = try await magic.object(of: Device.self, primary: device.id)
    let owned = try await magic.query(Device.self).where(\.$owner == device.owner).all()

    #expect(same.owner == device.owner && owned.map(\.id) == [device.id])
  }

  @Test func amountsAreAddedUpByTheDatabase() async throws {
    let magic = try await MagicData(type: .temporary)
    let invoice = Invoice()
    invoice.total = MagicMoney(units: 19_95)
    try await magic.update(invoice)
    print(invoice.total)  // 19.95

    let large = magic.query(Invoice.self).where(\.$total >= MagicMoney(units: 10_00))
    let sum = try await large.sum(\.$total)

    #expect(sum == MagicMoney(units: 1_995) && MagicMoney<Mills>("0.125")?.units == 125)
    #expect(try await large.order(by: \.$total).count() == 1)
  }

  @discardableResult
  private func saveTown(_ magic: MagicData) async throws -> Library {
    let town = Library()
    town.name = "Town"
    town.keeper = .init(value: Person(name: "Ada"))
    town.collected = .init(value: [Song(title: "Four")])
    try await magic.update(town)
    return town
  }

  @Test func aTransactionAddsMembers() async throws {
    let magic = try await MagicData(type: .temporary)
    let town = try await saveTown(magic)

    try await magic.transaction { transaction in
      let library = try transaction.object(of: Library.self, primary: "Town")
      let songs = try library.collected.get(in: transaction)
      library.collected.set(songs + [Song(title: "Five")])
      try transaction.update(library)
    }

    #expect(try await town.collected.get().map(\.title) == ["Four", "Five"])
  }

  @Test func aLazyCollectionIsEdited() async throws {
    let magic = try await MagicData(type: .temporary)
    let town = try await saveTown(magic)

    let library = try await magic.object(of: Library.self, primary: "Town")
    let six = Song(title: "Six")
    library.collected.append(six)
    try await magic.update(library)  // the song and one join row
    let isCollected = try await library.collected.contains(six)  // one lookup in an index
    library.collected.remove(six)  // all occurrences
    try library.collected.removeAll { $0.$title.hasPrefix("Draft") }  // when the library is saved
    library.featured.updateValue(six, forKey: "June")
    library.featured.removeValue(forKey: "May")
    try await magic.update(library)
    let june = try await library.featured.value(forKey: "June")  // one lookup, and one song

    #expect(isCollected && june?.title == "Six")
    try library.collected.removeAll { $0.$title.hasPrefix("Draft") }
    #expect(try await town.collected.get().map(\.title) == ["Four"])
  }

  @Test func aQueryLoadsLazyRelationships() async throws {
    let magic = try await MagicData(type: .temporary)
    try await saveTown(magic)

    let libraries = try await magic.query(Library.self)
      .including(\.$collected)
      .including(\.$keeper)
      .all()
    for library in libraries {
      print(try await library.keeper.get().name)  // reads nothing
    }

    #expect(libraries.count == 1)
  }

  @Test func aQueryLeavesARelationshipOut() async throws {
    let magic = try await MagicData(type: .temporary)
    let stored = Playlist()
    stored.name = "Mix"
    stored.owner = Person(name: "Ada")
    stored.songs = [Song(title: "One")]
    try await magic.update(stored)

    let playlists = try await magic.query(Playlist.self)
      .excluding(\.$songs)
      .all()
    let mix = playlists[0]
    mix.name = "Morning mix"
    try await magic.update(mix)  // the stored songs are kept
    print(mix.$songs.isSet)  // false
    try await magic.refresh(mix)
    print(mix.songs.count)

    #expect(mix.songs.map(\.title) == ["One"])
  }

  @Test func anInitializerAssignsProperties() {
    #expect(Visitor(name: "Ada").name == "Ada")
    #expect(Visitor(name: "Ada").visits == 0)
  }

  @Test func objectsInMemoryAreSorted() async throws {
    let magic = try await MagicData(type: .temporary)
    let ages = ["Eve": 30, "Ada": 20, "Bob": 40]
    for (name, age) in ages {
      let person = Person(name: name)
      person.age = age
      try await magic.update(person)
    }
    let people = magic.query(Person.self)

    let everyone = try await people.all()
    let byName = everyone.sorted(by: \.name)
    let oldestFirst = everyone.sorted(by: \.age, .descending)

    #expect(byName.map(\.name) == ["Ada", "Bob", "Eve"])
    #expect(oldestFirst.map(\.age) == [40, 30, 20])
  }

  @Test func groupsAndColumnsAreComputed() async throws {
    let magic = try await MagicData(type: .temporary)
    try await magic.update(contentsOf: ["Ada", "Bob", "Eve"].map { Person(name: $0) })
    let people = magic.query(Person.self)

    let crowded = try await people.grouped(by: \.$age)
      .having { $0.count > 1 }
      .order(.descending) { $0.count }
      .limit(3)
      .count()
    let ages = try await people.select(\.$age).distinct().all()
    let shouted = try await people.select { ($0.$name.uppercased(), $0.$age + 1) }.all()

    #expect(crowded.map(\.count) == [3])
    #expect(ages == [0])
    #expect(shouted.map { $0.0 }.sorted() == ["ADA", "BOB", "EVE"])

    // The operators and methods that the table of conditions names.
    #expect(try await people.where(\.$age + 1 > 18 || \.$name == "Ada").count() == 1)
    #expect(try await people.where { $0.$age.in([1, 2]) || $0.$age.in(1...5) }.count() == 0)
    #expect(try await people.where { $0.$age.between(0, 5) && $0.$name.like("a%") }.count() == 1)
    let playlists = magic.query(Playlist.self)
    #expect(try await playlists.where { $0.$guests.allSatisfy { $0.$age > 1 } }.count() == 0)
    #expect(try await playlists.where { $0.$guests.none { $0.$age > 1 } }.count() == 0)
    #expect(try await playlists.where { $0.$guests.isEmpty }.count() == 0)
  }

  @Test func textIsSearched() async throws {
    let magic = try await MagicData(type: .temporary)
    let song = Song(title: "One love")
    try await magic.update(Song(title: "Two"))

    try await magic.sql("CREATE VIRTUAL TABLE IF NOT EXISTS song_text USING fts5(title)").run()
    try await magic.transaction { transaction in
      let row = try transaction.update(song)
      try transaction.sql(
        "INSERT INTO song_text (rowid, title) VALUES (\(row.rawValue), \(song.title))"
      ).run()
    }
    let matches = try await magic.sql(
      "SELECT rowid AS z_index FROM song_text WHERE song_text MATCH \("one")"
    ).objects(of: Song.self)

    #expect(matches.map(\.title) == ["One love"])
  }

  @Test func joinTablesAreNamed() async throws {
    let magic = try await MagicData(type: .temporary)
    let mix = Playlist()
    mix.name = "Mix"
    mix.owner = Person(name: "Ada")
    mix.songs = [Song(title: "One")]
    try await magic.update(mix)
    let count = try await magic.sql("SELECT count(*) FROM \(links: \Playlist.$songs)")
      .value(Int.self)
    #expect(count == 1)
  }

  @Test func aSavepointIsRolledBack() async throws {
    let magic = try await MagicData(type: .temporary)

    try await magic.transaction { transaction in
      try transaction.update(Person(name: "Grace"))
      do {
        try transaction.transaction { savepoint in
          try savepoint.removeAll(of: Person.self)
          throw CancellationError()
        }
      } catch is CancellationError {
        // Grace still exists.
      }
    }

    #expect(try await magic.object(of: Person.self).map(\.name) == ["Grace"])
  }

  @Test func objectsOfSeveralTypesAreSaved() async throws {
    let magic = try await MagicData(type: .temporary)

    let (ada, mix, song) = (Person(name: "Ada"), Playlist(), Song(title: "One"))
    (mix.name, mix.owner, mix.songs) = ("Mix", ada, [song])
    try await magic.update(ada, mix, song)

    let objects: [any MagicObject] = [ada, mix, song]
    try await magic.update(contentsOf: objects)

    try await magic.merge(ada, mix)

    let session = magic.session()
    session.add(ada, mix)
    session.add(Person(name: "Bea"))
    session.delete(song)
    try await session.commit()

    let count = try await magic.withSession { session in
      session.add(Person(name: "Cleo"), Song(title: "Two"))
      try session.flush()
      return try session.query(Person.self).count()
    }

    #expect(count == 3)
    #expect(try await magic.object(of: Playlist.self).map(\.songs.count) == [0])
  }

  @MainActor @Test func liveResultsAreObserved() async throws {
    let magic = try await MagicData(type: .temporary)
    let ada = Person(name: "Ada")
    try await magic.update(ada)

    let adults = MagicLiveQuery(magic.query(Person.self).where(\.$age >= 18).order(by: \.$name))
    let names = withObservationTracking {
      adults.results.map(\.name)
    } onChange: {
      print("the results change")
    }

    let live = MagicLiveObject(of: Person.self, primary: ada.id, in: magic)
    print(live.object?.name ?? "not loaded yet")

    #expect(names.isEmpty)
    for _ in 0..<1_000 where live.isLoading { try await Task.sleep(for: .milliseconds(5)) }
    #expect(live.object?.name == "Ada")
    await magic.close()
  }

  @Test func theLandingPageSavesFetchesAndQueries() async throws {
    let magic = try await MagicData(path: path)
    let ada = Person(name: "Ada")
    try await magic.update(ada)

    let adults = try await magic.query(Person.self)
      .where(\.$age >= 18)
      .order(by: \.$name)
      .all()

    #expect(adults.isEmpty)
    await magic.close()
  }
}
